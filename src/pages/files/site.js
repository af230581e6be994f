// On all pages: the search over all that they show, and the access token of the tab. Pages are whole without it.

/** Where the console keeps its own, too. */
const kept = 'praxis.token';

/** The token that this tab keeps; others listen for `praxis-token` on the document. */
const tokens = {
  get: () => sessionStorage.getItem(kept) ?? '',
  set: (text) => {
    if (text === '') sessionStorage.removeItem(kept);
    else sessionStorage.setItem(kept, text);
    document.dispatchEvent(new CustomEvent('praxis-token'));
  },
};

function startTokens() {
  const dialog = document.querySelector('dialog.ask');
  const input = dialog.querySelector('input');
  const warning = dialog.querySelector('.warning');
  const openers = () => document.querySelectorAll('[data-act="token"]');
  const show = () => {
    const has = tokens.get() !== '';
    const button = document.querySelector('.top .token');
    button.classList.toggle('has', has);
    button.textContent = has ? 'Token ✓' : 'Token';
    button.setAttribute('aria-label', has ? 'Access token: there is one' : 'Access token: none yet');
    for (const opener of openers()) opener.hidden = has && opener !== button;
  };
  const open = () => {
    input.value = tokens.get();
    warning.textContent = '';
    dialog.showModal();
    input.select();
  };
  /** Kept when the service takes it. */
  const keep = async () => {
    const text = input.value.trim();
    if (text === '') return forget();
    // A header takes no more, and a token has no other letters.
    if (!/^[\x21-\x7e]+$/.test(text)) {
      warning.textContent = 'This is no access token.';
      return;
    }
    try {
      const answer = await fetch('/metrics', { headers: { Authorization: `Bearer ${text}` }, method: 'HEAD' });
      if (answer.status === 401) {
        warning.textContent = 'The access token is not valid.';
        return;
      }
      tokens.set(text);
      dialog.close();
    } catch {
      warning.textContent = 'The service does not answer.';
    }
  };
  const forget = () => {
    tokens.set('');
    dialog.close();
  };
  const acts = { keep, forget, close: () => dialog.close() };
  dialog.addEventListener('click', (event) => acts[event.target.dataset.act]?.());
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void keep();
  });
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-act="token"]')) open();
  });
  document.addEventListener('praxis-token', show);
  document.addEventListener('praxis-ask-token', open);
  show();
}

const mostOfAKind = 8;
const kinds = {
  group: 0,
  operation: 30,
  page: 35,
  guide: 38,
  field: 40,
  'named rule': 42,
  function: 44,
  filter: 60,
  rule: 70,
};
const headings = {
  group: 'Groups',
  operation: 'Operations',
  page: 'Pages',
  guide: 'Guides',
  field: 'Fields',
  'named rule': 'Named rules',
  function: 'Functions',
  filter: 'Filters',
  rule: 'Rules of groups',
};

const nothing = (text) => `Nothing found for “${text}”. Try other words, or fewer.`;

const wordsIn = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
/** Words as they stand apart, `statusId` as two. */
const tokensIn = (text) => text.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).map((token) => token.toLowerCase());

/** Whether one letter more, less, another or two in the wrong order is all that differs. */
function isNear(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [left, right] = [one.slice(at), other.slice(at)];
  if (left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1)) return true;
  return left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
}

function startSearch() {
  const input = document.getElementById('search');
  const list = document.getElementById('hits');
  const panel = document.querySelector('.hits');
  const count = panel.querySelector('.count');
  let loaded;
  let chosen = -1;
  document.querySelector('.search').hidden = false;
  const openers = document.querySelectorAll('[data-act="search"]');
  for (const opener of openers) opener.hidden = false;

  const read = ({ entries: rows, synonyms }) => {
    const vocabulary = new Set();
    const entries = rows.map(([kind, title, within, text, address]) => {
      const all = `${title} ${within} ${text}`;
      for (const token of tokensIn(`${title} ${text}`)) if (token.length > 2) vocabulary.add(token);
      return { kind, title, within, text, address, lower: title.toLowerCase(), all: all.toLowerCase() };
    });
    return { entries, synonyms: Object.entries(synonyms), vocabulary: [...vocabulary] };
  };
  const load = () => {
    loaded ??= fetch('/docs/search.json')
      .then((answer) => answer.json())
      .then(read);
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  };

  // Words at the beginning of a title count most, then those at the beginning of a word in it.
  const rank = ({ kind, lower, title, text }, words) => {
    let score = kinds[kind] + Math.min(title.length, 60) / 10;
    // What a text begins with is what it is about.
    if (text.slice(0, 80).toLowerCase().includes(words.join(' '))) score -= 20;
    for (const word of words) {
      if (lower === word) score -= 60;
      else if (lower.startsWith(word)) score -= 30;
      else if (lower.includes(word)) score -= 15;
      else score += 30;
    }
    return score;
  };
  const having = (entries, words) =>
    entries
      .filter((entry) => words.every((word) => entry.all.includes(word)))
      .map((entry) => ({ entry, words, score: rank(entry, words) }));
  const found = (entries, words) => having(entries, words).sort((one, other) => one.score - other.score);
  /** The same words with others for what has a synonym: `authentication header` as `token header`. */
  const otherwise = (synonyms, words) => {
    const text = ` ${words.join(' ')} `;
    return synonyms
      .filter(([term]) => text.includes(` ${term} `) || text.includes(` ${term}s `))
      .flatMap(([term, others]) => others.map((other) => text.replace(new RegExp(` ${term}s? `), ` ${other} `)))
      .map(wordsIn);
  };
  /** What has the words, and behind it what has the words that stand for the same. */
  const foundEither = ({ entries, synonyms }, words) => {
    const first = found(entries, words);
    const known = new Set(first.map(({ entry }) => entry));
    // At the beginning of a word: a figure is not in what one configures.
    const begins = (text, word) =>
      text.split(word).some((before, nth, { length }) => nth < length - 1 && !/\p{L}$/u.test(before));
    const more = otherwise(synonyms, words).flatMap((others) =>
      having(entries, others).filter(({ entry }) => others.every((word) => begins(entry.all, word))),
    );
    const fresh = more.filter(({ entry }) => !known.has(entry) && known.add(entry));
    return [...first, ...fresh.sort((one, other) => one.score - other.score)];
  };

  /** Words that nothing has, with the nearest that something has in their place. */
  const mended = ({ entries, vocabulary }, words) =>
    words.map((word) => {
      if (word.length < 4 || entries.some(({ all }) => all.includes(word))) return word;
      const near = vocabulary.filter((token) => isNear(word, token));
      const uses = (token) => entries.filter(({ lower }) => lower.includes(token)).length;
      return near.sort((one, other) => uses(other) - uses(one))[0] ?? word;
    });

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

  /** From where the first of the words stands: guides have long texts. */
  const cut = (text, words) => {
    const at = Math.min(
      ...words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0),
      text.length,
    );
    const from = at < 60 || at === text.length ? 0 : text.lastIndexOf(' ', at - 20) + 1;
    return `${from > 0 ? '… ' : ''}${text.slice(from, from + 160)}`;
  };

  const options = () => [...list.querySelectorAll('[role=option]')];
  const choose = (index) => {
    const items = options();
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

  let nth = 0;
  const itemOf = ({ entry, words }) => {
    const item = element('div', 'hit', '');
    item.id = `hit-${nth++}`;
    item.setAttribute('role', 'option');
    item.dataset.address = entry.address;
    const head = element('span', 'line', '');
    head.append(element('span', 'title', marked(entry.title, words)), element('span', 'within', entry.within));
    item.append(head);
    if (entry.text !== '' && entry.kind !== 'operation')
      item.append(element('span', 'text', marked(cut(entry.text, words), words)));
    return item;
  };
  /** The kind with the best hit first. */
  const groupOf = (kind, hits) => {
    const group = element('div', 'kind', '');
    const heading = element('span', 'heading', headings[kind]);
    const rest = hits.length - mostOfAKind;
    if (rest > 0) heading.append(element('span', 'rest', ` ${mostOfAKind} of ${hits.length}`));
    heading.id = `kind-${kind.replace(' ', '-')}`;
    group.dataset.kind = kind;
    group.setAttribute('role', 'group');
    group.setAttribute('aria-labelledby', heading.id);
    group.append(heading, ...hits.slice(0, mostOfAKind).map(itemOf));
    return group;
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
    let words = wordsIn(text);
    let hits = foundEither(all, words);
    let instead = '';
    if (hits.length === 0) {
      words = mended(all, words);
      hits = foundEither(all, words);
      instead = `Nothing has “${text.trim()}”; shown for “${words.join(' ')}”: `;
    }
    const byKind = new Map();
    for (const hit of hits) byKind.set(hit.entry.kind, [...(byKind.get(hit.entry.kind) ?? []), hit]);
    nth = 0;
    list.replaceChildren(...[...byKind].map(([kind, some]) => groupOf(kind, some)));
    count.textContent = hits.length === 0 ? nothing(text.trim()) : `${instead}${hits.length} found`;
    panel.hidden = false;
    list.scrollTop = 0;
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
    else if (event.key === 'Enter' && chosen >= 0) go(options()[chosen].dataset.address);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) => {
    const item = event.target.closest('[role=option]');
    if (item) go(item.dataset.address);
  });
  document.addEventListener('pointerdown', (event) => {
    if (!event.target.closest('.search')) close();
  });
  const begin = () => {
    input.focus();
    input.select();
  };
  for (const opener of openers) opener.addEventListener('click', begin);
  document.addEventListener('keydown', (event) => {
    const isWriting = event.target.closest?.('input, textarea, select, [contenteditable]');
    const isSlash = event.key === '/' && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if ((!isSlash && !isK) || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    begin();
  });
}

for (const slot of document.querySelectorAll('[data-slot="origin"]')) slot.textContent = location.origin;
// The list of guides begins where the one that is read stands.
const shelf = document.querySelector('.shelf');
if (shelf) shelf.scrollTop = shelf.querySelector('[aria-current]').offsetTop - shelf.clientHeight / 2;
startTokens();
startSearch();
