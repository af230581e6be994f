// The map: lights the neighbours of a group, zooms and pans, by pointer, fingers and keys.

function startMap(map) {
  const whole = map.viewBox.baseVal;
  const full = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  let view = { ...full };
  const pointers = new Map();
  let moved = 0;
  for (const part of document.querySelectorAll('.tools, .seek, .switches')) part.hidden = false;

  const look = (next) => {
    const width = Math.min(Math.max(next.width, 240), full.width * 1.5);
    const height = (width * full.height) / full.width;
    const within = (value, length, [least, size]) =>
      Math.min(Math.max(value, least - length / 2), least + size - length / 2);
    view = {
      x: within(next.x, width, [full.x, full.width]),
      y: within(next.y, height, [full.y, full.height]),
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

  // Areas that are switched off take their groups along, and the lines of these.
  const switches = document.querySelector('.switches');
  const boxes = [...switches.querySelectorAll('input')];
  const switchAreas = () => {
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
    const gone = new Set();
    for (const node of map.querySelectorAll('.node')) if (off.has(node.dataset.area)) gone.add(node.dataset.name);
    for (const part of map.querySelectorAll('[data-area]')) part.classList.toggle('off', off.has(part.dataset.area));
    for (const edge of map.querySelectorAll('.edges path'))
      edge.classList.toggle('off', gone.has(edge.dataset.from) || gone.has(edge.dataset.to));
    switches.querySelector('summary').textContent =
      off.size === 0 ? 'Areas' : `Areas: ${boxes.length - off.size} of ${boxes.length}`;
  };
  switches.addEventListener('change', switchAreas);
  switches.addEventListener('click', (event) => {
    const all = event.target.dataset?.areas;
    if (all === undefined) return;
    for (const box of boxes) box.checked = all === 'all';
    switchAreas();
  });

  // What fits what is typed stays bright; Enter goes to the first.
  const seek = document.querySelector('.seek input');
  const said = document.querySelector('.map .found');
  const matches = () => {
    const words = seek.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    return [...map.querySelectorAll('.node:not(.off)')].filter((node) =>
      words.every((word) => node.textContent.toLowerCase().includes(word) || node.dataset.name.includes(word)),
    );
  };
  const centre = (node) => {
    const box = node.getBBox();
    const width = Math.min(view.width, map.clientWidth * 1.3);
    const height = (width * full.height) / full.width;
    look({ x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, width });
  };
  seek.addEventListener('input', () => {
    const found = matches();
    const isAsked = seek.value.trim() !== '';
    map.classList.toggle('sought', found.length > 0);
    for (const node of map.querySelectorAll('.node')) node.classList.toggle('match', found.includes(node));
    said.textContent = !isAsked
      ? ''
      : found.length === 0
        ? 'No group matches.'
        : `${found.length} ${found.length === 1 ? 'group matches' : 'groups match'}. Press Enter to go to ${found.length === 1 ? 'it' : 'the first one'}.`;
    if (found.length > 0) centre(found[0]);
  });
  seek.addEventListener('keydown', (event) => {
    event.stopPropagation();
    const [first] = event.key === 'Enter' ? matches() : [];
    if (first === undefined) return;
    event.preventDefault();
    first.focus();
  });

  // Paper shows all of it, whatever the screen does.
  let seen;
  addEventListener('beforeprint', () => {
    seen = view;
    look(full);
  });
  addEventListener('afterprint', () => {
    if (seen !== undefined) look(seen);
  });

  // Where the whole would be too small to read, a part is shown first.
  const readable = map.clientWidth * (map.clientWidth < 700 ? 1 : 1.3);
  if (full.width > map.clientWidth * 1.8) {
    const counts = new Map();
    for (const edge of map.querySelectorAll('.edges path'))
      for (const name of [edge.dataset.from, edge.dataset.to]) counts.set(name, (counts.get(name) ?? 0) + 1);
    const [busiest] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
    const box = map.querySelector(`.node[data-name="${busiest}"]`)?.getBBox();
    if (box)
      look({
        x: box.x + box.width / 2 - readable / 2,
        y: box.y + box.height / 2 - (readable * full.height) / full.width / 2,
        width: readable,
      });
  }

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

startMap(document.getElementById('map'));
