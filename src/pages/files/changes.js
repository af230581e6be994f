// The newest entries of the log of changes, once the tab has a token.

const kept = 'praxis.token';
const pageSize = 25;
const longestValue = 120;

function startChanges(holder) {
  const groups = JSON.parse(holder.dataset.groups);
  const form = holder.querySelector('form');
  const said = holder.querySelector('.said');
  const note = holder.querySelector('.quiet');
  const table = holder.querySelector('table');
  const rows = table.querySelector('tbody');
  const more = holder.querySelector('.more');
  let before = 'now';
  let asked = 0;

  const element = (name, className, ...content) => {
    const made = document.createElement(name);
    if (className !== '') made.className = className;
    made.append(...content);
    return made;
  };
  const cell = (label, ...content) => {
    const made = element('td', '', ...content);
    made.dataset.label = label;
    return made;
  };
  const valueWords = (value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text === '' || value === null) return '–';
    return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
  };
  const changeOf = ([key, { from, to, removed }]) => {
    const line = element('li', '', element('code', '', key));
    if (removed !== undefined) line.append(' removed: ', valueWords(removed));
    else if (from === undefined && to !== undefined) line.append(' ', valueWords(to));
    else if (to === undefined && from !== undefined) line.append(' ', element('del', '', valueWords(from)));
    else if (to !== undefined) line.append(' ', element('del', '', valueWords(from)), ' → ', valueWords(to));
    return line;
  };
  const fieldsOf = ({ changes, isLong }) => {
    if (isLong === true) return 'Too large for the log. Read the record.';
    const all = Object.entries(changes ?? {});
    return all.length === 0 ? '' : element('ul', '', ...all.map(changeOf));
  };
  const recordOf = ({ group, id, name }) => {
    const [title = group, page = ''] = groups[group] ?? [];
    if (group === null) return 'All groups';
    if (id === null) return title;
    const words = `${title} ${name ?? id}`;
    if (page === '') return words;
    const link = element('a', '', words);
    link.href = `${page}#id=${id}`;
    return link;
  };
  const whoOf = ({ by, cause }) => {
    const who = by?.member?.name ?? by?.member?.id ?? by?.token?.name ?? (by === undefined ? '' : 'Service');
    const why = cause === undefined || cause.kind === 'caller' ? '' : ` (${cause.kind})`;
    return `${who}${why}`.trim();
  };
  const rowOf = (entry) => {
    const time = element('time', '', new Date(entry.at).toLocaleString());
    time.dateTime = entry.at;
    const when = element('th', '', time);
    when.scope = 'row';
    return element(
      'tr',
      '',
      when,
      cell('Change', `${entry.operation} `, recordOf(entry)),
      cell('Fields', fieldsOf(entry)),
      cell('Changed by', whoOf(entry)),
    );
  };

  const query = () => {
    const wanted = new URLSearchParams({ before, limit: String(pageSize) });
    for (const [name, value] of new FormData(form)) {
      if (value === '') continue;
      // What is chosen is the time of the reader.
      const isTime = name === 'since' || name === 'until';
      wanted.set(name, isTime ? new Date(value).toISOString() : value.trim());
    }
    return wanted;
  };
  const read = async () => {
    const token = sessionStorage.getItem(kept) ?? '';
    note.hidden = token !== '';
    form.hidden = token === '';
    asked += 1;
    const mine = asked;
    if (token === '') {
      for (const each of [table, more]) each.hidden = true;
      said.textContent = '';
      return;
    }
    said.textContent = 'Loading …';
    const answer = await fetch(`${holder.dataset.path}?${query()}`, { headers: { Authorization: `Bearer ${token}` } });
    const body = await answer.json();
    // Others may have been asked for meanwhile.
    if (mine !== asked) return;
    if (!answer.ok) {
      said.textContent = body.message;
      return;
    }
    rows.append(...body.results.map(rowOf));
    before = body.cursor;
    table.hidden = rows.children.length === 0;
    more.hidden = !body.hasMore;
    said.textContent =
      rows.children.length > 0
        ? ''
        : body.hasMore
          ? 'None of the newest entries matches. Load older changes to continue.'
          : 'No changes found.';
  };
  const show = () => {
    before = 'now';
    rows.replaceChildren();
    for (const each of [table, more]) each.hidden = true;
    begin();
  };
  const begin = () =>
    void read().catch(() => {
      said.textContent = 'The service cannot be reached.';
    });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show();
  });
  more.addEventListener('click', (event) => {
    if (event.target.closest('[data-act="older"]')) begin();
  });
  document.addEventListener('praxis-token', show);
  show();
}

for (const holder of document.querySelectorAll('.changes')) startChanges(holder);
