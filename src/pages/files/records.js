// The first records of a group, once the tab has a token.

const kept = 'praxis.token';
const count = 5;

function startRecords(holder) {
  const columns = JSON.parse(holder.dataset.columns);
  const note = holder.querySelector('.quiet');
  const element = (name, className, ...content) => {
    const made = document.createElement(name);
    made.className = className;
    made.append(...content);
    return made;
  };
  const textOf = (value) => {
    if (value === null || value === undefined || value === '') return '–';
    return typeof value === 'object' ? String(value.name ?? value.id ?? JSON.stringify(value)) : String(value);
  };
  const rowOf = (record) => {
    const cells = columns.map((name, index) => {
      const cell = element(index === 0 ? 'th' : 'td', '');
      const text = textOf(record[name]);
      if (index === 0) cell.scope = 'row';
      else cell.dataset.label = name;
      if (index === 0 && holder.dataset.get !== '') {
        const link = element('a', '', text);
        link.href = `${holder.dataset.get}#id=${record.id}`;
        cell.append(link);
      } else cell.append(text);
      return cell;
    });
    return element('tr', '', ...cells);
  };
  const head = () => {
    const cells = columns.map((name) => {
      const cell = element('th', '', name);
      cell.scope = 'col';
      return cell;
    });
    return element('thead', '', element('tr', '', ...cells));
  };

  const show = async () => {
    const token = sessionStorage.getItem(kept) ?? '';
    holder.querySelector('table')?.remove();
    note.hidden = token !== '';
    if (token === '') return;
    const answer = await fetch(`${holder.dataset.path}?limit=${count}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const body = await answer.json();
    // Another token may have been given meanwhile.
    holder.querySelector('table, .said')?.remove();
    if (!answer.ok) holder.append(element('p', 'said quiet', body.message));
    else if (body.results.length === 0) holder.append(element('p', 'said quiet', 'No records yet.'));
    else holder.append(element('table', 'stack', head(), element('tbody', '', ...body.results.map(rowOf))));
  };
  document.addEventListener('praxis-token', () => show().catch(() => {}));
  show().catch(() => {});
}

for (const holder of document.querySelectorAll('.records')) startRecords(holder);
