// Search over all that the pages show. They are whole without it.

const highest = 40;
const kinds = { group: 0, operation: 30, field: 40, filter: 60, rule: 70 };

function startSearch() {
  const input = document.getElementById('search');
  const list = document.getElementById('hits');
  const panel = document.querySelector('.hits');
  const count = panel.querySelector('.count');
  let entries;
  let chosen = -1;
  document.querySelector('.search').hidden = false;

  const load = async () => {
    entries ??= fetch('/docs/search.json')
      .then((answer) => answer.json())
      .then((rows) =>
        rows.map(([kind, title, within, text, address]) => {
          const lower = title.toLowerCase();
          return { kind, title, within, text, address, lower, all: `${lower} ${within} ${text}`.toLowerCase() };
        }),
      );
    entries.catch(() => {
      entries = undefined;
    });
    return entries;
  };

  // Words at the beginning of a title count most, then those at the beginning of a word in it.
  const rank = ({ kind, lower, title }, words) => {
    let score = kinds[kind] + Math.min(title.length, 60) / 10;
    for (const word of words) {
      if (lower === word) score -= 60;
      else if (lower.startsWith(word)) score -= 30;
      else if (lower.includes(word)) score -= 15;
      else score += 30;
    }
    return score;
  };

  const find = (all, text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return undefined;
    return all
      .filter((entry) => words.every((word) => entry.all.includes(word)))
      .map((entry) => ({ entry, score: rank(entry, words) }))
      .sort((one, other) => one.score - other.score)
      .map(({ entry }) => entry);
  };

  const element = (name, className, text) => {
    const made = document.createElement(name);
    made.className = className;
    made.append(text);
    return made;
  };

  const marked = (text, words) => {
    const holder = document.createDocumentFragment();
    const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
    for (const [index, part] of text.split(pattern).entries())
      holder.append(index % 2 === 1 ? element('mark', '', part) : part);
    return holder;
  };

  const choose = (index) => {
    const items = [...list.children];
    chosen = items.length === 0 ? -1 : (index + items.length) % items.length;
    for (const [at, item] of items.entries()) item.setAttribute('aria-selected', String(at === chosen));
    if (chosen < 0) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', items[chosen].id);
      items[chosen].scrollIntoView({ block: 'nearest' });
    }
  };

  const close = () => {
    panel.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };

  const go = (address) => {
    close();
    input.blur();
    window.location.assign(address);
  };

  const itemOf = (entry, index, words) => {
    const item = element('li', '', '');
    item.id = `hit-${index}`;
    item.setAttribute('role', 'option');
    item.dataset.address = entry.address;
    const head = element('span', 'head', '');
    head.append(element('span', 'title', marked(entry.title, words)), element('span', 'within', entry.within));
    item.append(element('span', 'kind', entry.kind), head);
    if (entry.text !== '' && entry.kind !== 'operation')
      item.append(element('span', 'text', marked(entry.text, words)));
    return item;
  };

  const show = async () => {
    const text = input.value;
    if (text.trim() === '') return close();
    let all;
    try {
      all = await load();
    } catch {
      list.replaceChildren();
      count.textContent = 'The search cannot be loaded now.';
      panel.hidden = false;
      return;
    }
    if (input.value !== text) return;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = find(all, text);
    list.replaceChildren(...found.slice(0, highest).map((entry, index) => itemOf(entry, index, words)));
    const first = found.length > highest ? `, the first ${highest} of them here` : '';
    count.textContent = found.length === 0 ? `Nothing has “${text.trim()}”.` : `${found.length} found${first}`;
    panel.hidden = false;
    panel.scrollTop = 0;
    input.setAttribute('aria-expanded', 'true');
    choose(0);
  };

  input.addEventListener('focus', () => load().then(show, () => {}));
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const isOpen = !panel.hidden;
    if (event.key === 'Escape') {
      if (isOpen) close();
      else input.blur();
    } else if (!isOpen) return;
    else if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter' && chosen >= 0) go(list.children[chosen].dataset.address);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) => {
    const item = event.target.closest('li');
    if (item) go(item.dataset.address);
  });
  document.addEventListener('pointerdown', (event) => {
    if (!event.target.closest('.search')) close();
  });
  document.addEventListener('keydown', (event) => {
    const isWriting = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

startSearch();
