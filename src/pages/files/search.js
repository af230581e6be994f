// On all pages: the search over all that they show.

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
  rule: 'Group rules',
};

const nothing = (text) => `No results for “${text}”. Try other words, or a single word such as “filter” or “error”.`;

const wordsIn = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
/** Words as they stand apart, `statusId` as two. */
const tokensIn = (text) => text.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).map((token) => token.toLowerCase());

/** How many letters differ: one more, less, another, or two in the wrong order count as one. */
function distance(one, other) {
  const rows = [[...other, ''].map((_, at) => at)];
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const isTurned = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row.push(
        Math.min(
          rows[at - 1][to] + 1,
          row[to - 1] + 1,
          rows[at - 1][to - 1] + (isSame ? 0 : 1),
          isTurned ? rows[at - 2][to - 2] + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows[one.length][other.length];
}
/** Long words are forgiven two letters. */
const mostWrong = (word) => (word.length < 8 ? 1 : 2);
const isNear = (one, other) =>
  Math.abs(one.length - other.length) <= mostWrong(one) && distance(one, other) <= mostWrong(one);

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

  const read = ({ entries: rows, synonyms, topics }) => {
    const vocabulary = new Set();
    const entries = rows.map(([kind, title, within, text, address]) => {
      const asked = topics[address] ?? [];
      const all = `${title} ${within} ${text} ${asked.join(' ')}`;
      for (const token of tokensIn(`${title} ${text} ${asked.join(' ')}`)) if (token.length > 2) vocabulary.add(token);
      return { kind, title, within, text, address, asked, lower: title.toLowerCase(), all: all.toLowerCase() };
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

  /** How well what is typed is one of the questions that an entry answers. */
  const fitOf = (asked, words) => {
    const text = words.join(' ');
    if (asked.includes(text)) return 200;
    if (asked.some((term) => term.startsWith(text))) return 120;
    const begins = (term) => words.every((word) => tokensIn(term).some((token) => token.startsWith(word)));
    return asked.some(begins) ? 80 : 0;
  };
  // A question that is answered counts most, then words at the beginning of a title, then those at the beginning of a word in it.
  const rank = ({ kind, lower, title, text, asked }, words) => {
    let score = kinds[kind] + Math.min(title.length, 60) / 10 - fitOf(asked, words);
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
      const wrong = new Map(near.map((token) => [token, distance(word, token)]));
      return near.sort((one, other) => wrong.get(one) - wrong.get(other) || uses(other) - uses(one))[0] ?? word;
    });

  /** What has most of several words, where nothing has all of them. */
  const foundMost = ({ entries }, words) => {
    const countOf = ({ all }) => words.filter((word) => all.includes(word)).length;
    const counted = entries.map((entry) => ({ entry, count: countOf(entry) })).filter(({ count }) => count > 0);
    const most = Math.max(...counted.map(({ count }) => count));
    return counted
      .filter(({ count }) => count === most)
      .map(({ entry }) => ({ entry, words, score: rank(entry, words) }))
      .sort((one, other) => one.score - other.score);
  };
  /** What is shown for a text, and what is to be said of it: the words themselves, then with letters mended, then most of them. */
  const answerTo = (all, text) => {
    const typed = wordsIn(text);
    const exact = foundEither(all, typed);
    if (exact.length > 0) return { hits: exact, instead: '' };
    const words = mended(all, typed);
    const isMended = words.join(' ') !== typed.join(' ');
    const near = isMended ? foundEither(all, words) : [];
    if (near.length > 0) return { hits: near, instead: `No results for “${text}”. Results for “${words.join(' ')}”: ` };
    return { hits: foundMost(all, words), instead: `No results for all words of “${text}”. Closest results: ` };
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
      count.textContent = 'The search could not be loaded.';
      panel.hidden = false;
      return;
    }
    if (input.value !== text) return;
    const { hits, instead } = answerTo(all, text.trim());
    const byKind = new Map();
    for (const hit of hits) byKind.set(hit.entry.kind, [...(byKind.get(hit.entry.kind) ?? []), hit]);
    nth = 0;
    list.replaceChildren(...[...byKind].map(([kind, some]) => groupOf(kind, some)));
    count.textContent =
      hits.length === 0 ? nothing(text.trim()) : `${instead}${hits.length} ${hits.length === 1 ? 'result' : 'results'}`;
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

startSearch();
