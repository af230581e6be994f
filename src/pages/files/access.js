// The rules of roles, once the tab has a token that may read them: what stands for a role and a group opens those that decide on it.

const kept = 'praxis.token';
const dialog = document.querySelector('dialog.rules');

/** What stands for a role and a group: cells of the table of all, names of roles in that of one group. */
const places = [...document.querySelectorAll('[data-group]')].flatMap((holder) => {
  const { group } = holder.dataset;
  if (holder.tagName !== 'TR')
    return [...holder.querySelectorAll('[data-role]')].map((cell) => ({ cell, group, role: cell.dataset.role }));
  const roles = [...holder.closest('table').querySelectorAll('[data-role]')];
  return [...holder.querySelectorAll('td')].map((cell, nth) => ({ cell, group, role: roles[nth].dataset.role }));
});

const element = (name, className, ...content) => {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
};

/** A condition in words, with the formula behind. */
const conditionOf = (before, { words, formula }) =>
  element('p', 'condition', `${before} ${words}.`, element('code', '', formula));

const fieldWords = {
  show: 'Visible fields',
  hide: 'Hidden fields',
  write: 'Writable fields',
  keep: 'Read-only fields',
};

function ruleOf({ id, effect, to, when, after, fields = {}, names, because }) {
  const parts = [
    element('h3', '', id),
    element('p', '', `${effect === 'allow' ? 'Allows' : 'Forbids'}: ${to.join(', ')}.`),
  ];
  if (when !== undefined) parts.push(conditionOf('If', when));
  if (after !== undefined) parts.push(conditionOf('If, after the write,', after));
  for (const [word, list] of Object.entries(fields))
    parts.push(element('p', '', `${fieldWords[word]}: ${list.join(', ')}.`));
  if (names !== undefined)
    parts.push(element('p', '', 'References show the names of all records, also of hidden ones.'));
  if (because !== undefined) parts.push(element('p', 'quiet', because));
  return element('section', '', ...parts);
}

function open(role, group) {
  const rules = role.rules.filter(({ on }) => on.includes(group));
  const held =
    role.heldBy === null
      ? element('p', '', 'Only access tokens can have this role.')
      : conditionOf('A member has this role if', role.heldBy);
  const told = rules.length === 0 ? [element('p', '', 'No rule applies to this group.')] : rules.map(ruleOf);
  dialog.querySelector('.content').replaceChildren(element('h2', '', `${role.title}: ${group}`), held, ...told);
  dialog.showModal();
}

/** @param roles By their names; without them all is plain. */
function draw(roles) {
  for (const { cell, group, role: name } of places) {
    const content = [...(cell.querySelector('button') ?? cell).childNodes];
    const role = roles?.get(name);
    if (role === undefined) {
      cell.replaceChildren(...content);
      continue;
    }
    const button = element('button', 'opens', ...content);
    button.type = 'button';
    button.setAttribute('aria-label', `${cell.textContent}: rules of ${role.title} on ${group}`);
    button.addEventListener('click', () => open(role, group));
    cell.replaceChildren(button);
  }
  for (const note of document.querySelectorAll('[data-told]'))
    note.hidden = (note.dataset.told === 'yes') !== (roles !== undefined);
}

async function show() {
  const token = sessionStorage.getItem(kept) ?? '';
  const headers = { Authorization: `Bearer ${token}` };
  const answer = token === '' ? undefined : await fetch('/openapi.json', { headers });
  const roles = answer?.ok ? (await answer.json())['x-access'] : [];
  draw(roles.some(({ rules }) => rules !== undefined) ? new Map(roles.map((role) => [role.name, role])) : undefined);
}

if (dialog !== null) {
  dialog.querySelector('[data-act="shut"]').addEventListener('click', () => dialog.close());
  document.addEventListener('praxis-token', () => show().catch(() => {}));
  show().catch(() => {});
}
