// Search over all that the pages show, and the map's zoom. The pages are whole without it.

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

function startMap(map) {
  const whole = map.viewBox.baseVal;
  const full = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  let view = { ...full };
  const pointers = new Map();
  let moved = 0;
  document.querySelector('.tools').hidden = false;

  const look = (next) => {
    const width = Math.min(Math.max(next.width, 240), full.width * 1.5);
    const height = (width * full.height) / full.width;
    const within = (value, least, size, length) =>
      Math.min(Math.max(value, least - length / 2), least + size - length / 2);
    view = {
      x: within(next.x, full.x, full.width, width),
      y: within(next.y, full.y, full.height, height),
      width,
      height,
    };
    map.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
  };
  const place = (clientX, clientY) => new DOMPoint(clientX, clientY).matrixTransform(map.getScreenCTM().inverse());
  const zoom = (factor, at) => {
    const centre = at ?? { x: view.x + view.width / 2, y: view.y + view.height / 2 };
    const width = Math.min(Math.max(view.width / factor, 240), full.width * 1.5);
    const share = width / view.width;
    look({ x: centre.x - (centre.x - view.x) * share, y: centre.y - (centre.y - view.y) * share, width });
  };

  const light = (name) => {
    map.classList.toggle('lit', name !== undefined);
    const near = new Set([name]);
    for (const edge of map.querySelectorAll('.edges path')) {
      const { from, to } = edge.dataset;
      edge.classList.toggle('out', from === name);
      edge.classList.toggle('in', to === name && from !== name);
      if (from === name) near.add(to);
      if (to === name) near.add(from);
    }
    for (const node of map.querySelectorAll('.node')) {
      node.classList.toggle('near', near.has(node.dataset.name));
      node.classList.toggle('chosen', node.dataset.name === name);
    }
  };
  const nodeOf = (target) => target?.closest?.('.node')?.dataset.name;
  const focused = () => nodeOf(document.activeElement?.matches(':focus-visible') ? document.activeElement : undefined);

  map.addEventListener('pointerover', (event) => light(nodeOf(event.target) ?? focused()));
  map.addEventListener('pointerleave', () => light(focused()));
  map.addEventListener('focusin', (event) => {
    const name = nodeOf(event.target);
    light(name);
    if (!event.target.matches(':focus-visible')) return;
    // Tabbing leads to what is out of sight.
    const box = event.target.getBBox();
    const isSeen =
      box.x >= view.x &&
      box.y >= view.y &&
      box.x + box.width <= view.x + view.width &&
      box.y + box.height <= view.y + view.height;
    if (!isSeen)
      look({
        x: box.x + box.width / 2 - view.width / 2,
        y: box.y + box.height / 2 - view.height / 2,
        width: view.width,
      });
  });
  map.addEventListener('focusout', () => light(undefined));

  // With a key held, as on maps of streets: a plain wheel goes on scrolling the page.
  map.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * 0.002), place(event.clientX, event.clientY));
    },
    { passive: false },
  );
  map.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved = 0;
  });
  map.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const [start, end] = [place(before.x, before.y), place(now.x, now.y)];
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    pointers.set(event.pointerId, now);
    if (moved > 4) {
      map.setPointerCapture(event.pointerId);
      map.classList.add('dragged');
    }
    if (others.length === 0) return look({ ...view, x: view.x + start.x - end.x, y: view.y + start.y - end.y });
    const apart = (point) => Math.hypot(point.x - others[0].x, point.y - others[0].y);
    zoom(apart(now) / Math.max(apart(before), 1), place((now.x + others[0].x) / 2, (now.y + others[0].y) / 2));
  });
  const lift = (event) => {
    pointers.delete(event.pointerId);
    map.classList.remove('dragged');
  };
  map.addEventListener('pointerup', lift);
  map.addEventListener('pointercancel', lift);
  // The end of a drag is no click (that of a key has no detail), and a link is not to be dragged away.
  map.addEventListener('click', (event) => event.detail > 0 && moved > 4 && event.preventDefault(), true);
  map.addEventListener('dragstart', (event) => event.preventDefault());

  // Where the whole would be too small to read, a part is shown first.
  const readable = map.clientWidth * 1.3;
  if (full.width > map.clientWidth * 1.8)
    look({
      x: full.x + (full.width - readable) / 2,
      y: full.y + (full.height - (readable * full.height) / full.width) / 2,
      width: readable,
    });

  const steps = { in: () => zoom(1.4), out: () => zoom(1 / 1.4), all: () => look(full) };
  document.querySelector('.tools').addEventListener('click', (event) => steps[event.target.dataset.zoom]?.());
  const keys = {
    '+': steps.in,
    '=': steps.in,
    '-': steps.out,
    0: steps.all,
    ArrowLeft: () => look({ ...view, x: view.x - view.width / 8 }),
    ArrowRight: () => look({ ...view, x: view.x + view.width / 8 }),
    ArrowUp: () => look({ ...view, y: view.y - view.height / 8 }),
    ArrowDown: () => look({ ...view, y: view.y + view.height / 8 }),
  };
  document.querySelector('.map').addEventListener('keydown', (event) => {
    const step = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  });
}

startSearch();
const map = document.getElementById('map');
if (map) startMap(map);
