// Laws of what the other records forbid: unique keys, deletes, features.
import { expect } from 'vitest';
import type { Field, Referrer, Resource, UniqueKey } from '../../src/registry/model/model.ts';
import type { Overrides } from '../support/data/records.ts';
import { type Context, isObject, type Json } from '../support/service/praxis.ts';
import { get, idsOf, type Law, offers, pathOf, refusalsFrom } from './law.ts';

const article = (title: string): string => (/^[AEIO]/.test(title) ? 'An' : 'A');

/** The same text for people, another one for bytes. */
const twinOf = (field: Field, value: unknown): unknown => {
  if (field.kind !== 'text' || typeof value !== 'string' || field.format === 'slug' || field.pattern) return value;
  const swapped = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
  return field.format === 'email' ? swapped : ` ${swapped.normalize('NFD')} `.slice(0, field.maxLength);
};

/** What else a record needs so that it can refer to another one by this field. */
const companions: Readonly<Record<string, (context: Context, id: string) => Promise<Overrides>>> = {
  'client.invoicePaymentTermId': async () => ({ invoiceDetailsSource: 'custom' }),
  'member.timeOffApproverId': async () => ({ timeOffApprovalMode: 'member' }),
  'member.internalExpenseApproverId': async () => ({ internalExpenseApprovalMode: 'member' }),
  'member.timeOffTypeIds': async () => ({ allowedTimeOffTypes: 'custom' }),
  'project.projectGroupId': async (context, id) => ({
    clientId: await parentOf(context, id, { group: 'project-group', field: 'client' }),
  }),
  'project-member.projectRoleIds': async (context, id) => ({
    projectId: await parentOf(context, id, { group: 'project-role', field: 'project' }),
  }),
  'project-rate-card.roleRates.projectRoleId': async (context, id) => ({
    projectId: await parentOf(context, id, { group: 'project-role', field: 'project' }),
  }),
  'project-rate-card.memberRates.memberId': async (context, id) => {
    const { project } = await context.make('project-member', { memberId: id });
    return { projectId: isObject(project) ? project['id'] : undefined };
  },
  'invoice.lines.projectId': async (context, id) => ({
    clientId: await parentOf(context, id, { group: 'project', field: 'client' }),
  }),
  'payment.invoices.id': async (context, id) => ({
    clientId: await parentOf(context, id, { group: 'invoice', field: 'client' }),
    amount: 10,
    invoices: [{ amount: 10 }],
  }),
  'credit-note.invoices.id': async (context, id) => ({
    clientId: await parentOf(context, id, { group: 'invoice', field: 'client' }),
    statusId: 'issued',
    lines: [{ amount: 10, taxable: false }],
    invoices: [{ amount: 10 }],
  }),
  'credit-note.lines.projectId': async (context, id) => ({
    clientId: await parentOf(context, id, { group: 'project', field: 'client' }),
  }),
  'task.parentId': async (context, id) => ({
    projectId: await parentOf(context, id, { group: 'task', field: 'project' }),
  }),
  'task.projectRoles.id': async (context, id) => ({
    projectId: await parentOf(context, id, { group: 'project-role', field: 'project' }),
  }),
  'task.projectMembers.id': async (context, id) => ({
    projectId: await parentOf(context, id, { group: 'project-member', field: 'project' }),
  }),
  'allocation.projectRoleId': async (context, id) => ({
    projectId: await parentOf(context, id, { group: 'project-role', field: 'project' }),
  }),
  'allocation.taskId': async (context, id) => ({
    projectId: await parentOf(context, id, { group: 'task', field: 'project' }),
  }),
  'time-entry.projectRoleId': async (context, id) => {
    const projectId = await parentOf(context, id, { group: 'project-role', field: 'project' });
    const member = await context.make('member');
    await context.make('project-member', { projectId, memberId: member.id, projectRoleIds: [id] });
    return { projectId, memberId: member.id };
  },
  'time-entry.taskId': async (context, id) => ({
    projectId: await parentOf(context, id, { group: 'task', field: 'project' }),
  }),
  'time-entry.timeOffTypeId': async () => ({ typeId: 'time_off', projectId: undefined }),
  'expense-receipt.expenseItemId': async (context, id) => ({
    memberId: await parentOf(context, id, { group: 'expense-item', field: 'member' }),
  }),
};

/** The field of a group that names the record which its own are part of. */
interface Parenthood {
  readonly group: string;
  readonly field: string;
}

async function parentOf(context: Context, id: string, { group, field }: Parenthood): Promise<unknown> {
  const record: Json = JSON.parse(await get(context, context.resource(group), id));
  const parent = record[field];
  return isObject(parent) ? parent['id'] : undefined;
}

const budgeted: Overrides = {
  billingTypeId: 'tm',
  useBudget: true,
  budgetMode: 'detailed',
  useMonthlyBudget: true,
  monthlyBudgetMode: 'detailed',
};
const issued: Overrides = {
  statusId: 'issued',
  lines: [{ kindId: 'services', quantity: 1, rate: 100, taxable: false }],
};

/** A target that its referrer can take, where not every record can. */
const targets: Readonly<Record<string, (context: Context) => Promise<Overrides>>> = {
  'expense-category.invoiceItemId': async () => ({ typeId: 'expense' }),
  'payment.invoices.id': async () => issued,
  'credit-note.invoices.id': async () => issued,
  'task.parentId': async (context) => ({
    taskCategoryId: (await context.make('task-category', { type: 'rollup' })).id,
  }),
  'time-entry.projectId': async () => ({ useRoles: false }),
  'time-entry.taskId': async (context) => ({ projectId: (await context.make('project', { useRoles: false })).id }),
  'project-billing-schedule-item.projectId': async () => ({ billingTypeId: 'fixed' }),
  'project-revenue-recognition-entry.projectId': async () => ({
    billingTypeId: 'fixed',
    revenueRecognitionMethod: 'manual',
  }),
};
/** Groups whose project must be one with a budget for everything. */
const ofBudgets = /^project-(?:(?:monthly-)?budget|service|product|other|expense|prepayment|revenue-adjustment)/;

const targetOf = async (context: Context, place: string): Promise<Overrides | undefined> =>
  place.endsWith('.projectId') && ofBudgets.test(place) ? budgeted : targets[place]?.(context);

/** What is made along with the referrer, names the target too, and must go before the target can. */
async function releaseCompanions(context: Context, place: string, id: string): Promise<void> {
  if (!/^(?:project-rate-card\.memberRates|allocation|time-entry|timesheet)\.memberId$/.test(place)) return;
  for (const group of place === 'timesheet.memberId' ? ['time-entry', 'project-member'] : ['project-member'])
    for (const companion of await context.all(group, `&memberId=${id}`))
      expect((await context.call('DELETE', `${context.resource(group).path}/${companion.id}`)).status).toBe(204);
}

const placeOf = ({ resource, field, list, outer }: Referrer): string =>
  [resource.name, ...[outer, list].flatMap((each) => (each === undefined ? [] : [each.key])), field.key].join('.');

/** Makes a record of the referrer that names the target. */
async function refer(context: Context, referrer: Referrer, id: string): Promise<Json & { readonly id: string }> {
  const { resource, field, list, outer } = referrer;
  const extra = (await companions[placeOf(referrer)]?.(context, id)) ?? {};
  if (list !== undefined && outer !== undefined) {
    const whole = extra[outer.key] ?? (await context.valueOf(resource.name, outer.key));
    const [item] = whole as Json[];
    return context.make(resource.name, {
      ...extra,
      [outer.key]: [{ ...item, [list.key]: [await itemWith(context, referrer, id)] }],
    });
  }
  if (list === undefined)
    return context.make(resource.name, { ...extra, [field.key]: field.kind === 'references' ? [id] : id });
  const given = extra[list.key] ?? (resource.name === 'invoice' ? issued['lines'] : undefined);
  const whole = given ?? (await context.valueOf(resource.name, list.key));
  const item: Json = Array.isArray(whole) && isObject(whole[0]) ? whole[0] : {};
  return context.make(resource.name, { ...extra, [list.key]: [{ ...item, [field.key]: id }] });
}

/** An item of a list inside items that names the target. */
async function itemWith(context: Context, { resource, field, list, outer }: Referrer, id: string): Promise<Json> {
  for (const each of list?.fields ?? []) {
    const branch = each.kind === 'choice' ? each.branches.find(({ reference }) => reference === field) : undefined;
    if (each.kind === 'choice' && branch !== undefined) return { [each.by]: branch.value, [each.key]: id };
  }
  const [item] = (await context.valueOf(resource.name, `${outer?.key}.${list?.key}`)) as Json[];
  return { ...item, [field.key]: id };
}

/** A line can use a prepayment only once an invoice has billed it; a draft holds on by a rule to what it bills. */
const isUnreachable = (place: string): boolean => /^invoice\.lines\.(?:projectPrepaymentId|sources\.)/.test(place);

const referrersOf = (context: Context, resource: Resource): readonly Referrer[] =>
  (context.registry.referrers.get(resource.name) ?? []).filter((referrer) => {
    const { resource: other, field, list } = referrer;
    const isSent = field.onCreate && list?.onCreate !== false;
    return isSent && other.operations.has('create') && !isUnreachable(placeOf(referrer));
  });

async function checkReferrer(context: Context, resource: Resource, referrer: Referrer): Promise<void> {
  const { resource: other, field, list, outer } = referrer;
  const where = placeOf(referrer);
  const target = await context.make(resource.name, await targetOf(context, where));
  const holder = await refer(context, referrer, target.id);
  if (field.onDelete !== 'restrict') await releaseCompanions(context, where, target.id);
  const before = await get(context, other, holder.id);
  const answer = await context.call('DELETE', pathOf(resource, target.id));
  const isNeeded =
    field.onDelete === 'clear' && field.requiredWhen !== undefined && list === undefined && answer.status === 409;
  const isLocked =
    answer.status === 409 && resource.lockedDelete?.test(JSON.parse(await get(context, resource, target.id))) === true;
  if (field.onDelete === 'restrict' || isNeeded || isLocked) {
    const message = isLocked
      ? `The ${resource.title} is read-only.`
      : `The ${resource.title} is in use and cannot be deleted.`;
    expect(answer.body, where).toMatchObject({ status: 409, message });
    expect(await get(context, other, holder.id)).toBe(before);
    if (isLocked) return;
    // On the other side of the rule: once nothing refers to it, it goes.
    if (!other.operations.has('delete') || !isDeletable(other)) return;
    expect((await context.call('DELETE', pathOf(other, holder.id))).status, where).toBe(204);
    await releaseCompanions(context, where, target.id);
    expect((await context.call('DELETE', pathOf(resource, target.id))).status, where).toBe(204);
    return;
  }
  expect(answer.status, `${where} ${answer.text}`).toBe(204);
  const after = await context.call('GET', pathOf(other, holder.id));
  if (field.onDelete === 'cascade') {
    expect(after.body, where).toEqual({ status: 404, message: `Object with id '${holder.id}' not found.` });
    return;
  }
  expect(after.status, where).toBe(200);
  const left: Json = JSON.parse(after.text);
  if (list !== undefined && outer !== undefined)
    expect(
      (left[outer.name] as Json[]).map((item) => item[list.name]),
      where,
    ).toEqual([[]]);
  else if (list !== undefined) expect(idsOf(left[list.name]), where).toHaveLength(0);
  else if (field.kind === 'references') expect(idsOf(left[field.name]), where).not.toContain(target.id);
  else if (field.shown) expect(left[field.name], where).toBeNull();
  // The rest stays, modifiedAt too.
  const changed = outer?.name ?? list?.name ?? field.name;
  const derived = new Set(
    other.fields
      .filter(({ figure, derived }) => figure !== undefined || (derived !== undefined && derived.use !== 'modified'))
      .map(({ name }) => name),
  );
  for (const [name, value] of Object.entries(JSON.parse(before) as Json))
    if (name !== changed && !derived.has(name)) expect(left[name], `${where} ${name}`).toEqual(value);
}

/** Groups whose records a rule may keep from being deleted. */
const isDeletable = (resource: Resource): boolean =>
  resource.lockedDelete === undefined && !resource.rules.some(({ use }) => /Chain$|^oneDefault$/.test(use));

async function checkKey(context: Context, resource: Resource, key: UniqueKey): Promise<void> {
  if (!key.fields.every(({ onCreate, key: word }) => onCreate && word !== 'createdAt')) return;
  const values: Json = await context.bodyOf(resource.name, {}, 'all');
  for (const field of key.fields)
    if (values[field.key] === undefined) values[field.key] = await context.valueOf(resource.name, field.key);
  const overrides = Object.fromEntries(key.fields.map((field) => [field.key, values[field.key]]));
  const made = await context.make(resource.name, overrides);
  const message = `${article(resource.title)} ${resource.title} with the same ${key.word} already exists.`;
  const twins = Object.fromEntries(key.fields.map((field) => [field.key, twinOf(field, values[field.key])]));
  const others = resource.unique
    .filter((each) => each !== key)
    .flatMap(({ fields }) => fields.map((field) => field.key));
  for (const again of [overrides, twins]) {
    const body = await context.bodyOf(resource.name, again);
    for (const other of others)
      if (!Object.hasOwn(again, other)) body[other] = (await context.bodyOf(resource.name, again))[other];
    const refuses = await refusalsFrom(context, resource);
    await refuses(() => context.call('POST', resource.path, body), { status: 409, message });
  }
  // An update that would take the key, and one that keeps its own.
  const movable = key.fields.filter(({ onUpdate }) => onUpdate);
  if (!resource.operations.has('update') || movable.length === 0) return;
  const fixed = Object.fromEntries(
    key.fields.filter(({ onUpdate }) => !onUpdate).map((field) => [field.key, values[field.key]]),
  );
  // References of a key with a text are shared between records otherwise, and the key would be taken at once.
  const elsewhere = movable
    .filter(({ kind }) => kind === 'reference')
    .map(
      async (field) => [field.key, field.kind === 'reference' ? (await context.make(field.target)).id : null] as const,
    );
  const second = await context.make(resource.name, { ...fixed, ...Object.fromEntries(await Promise.all(elsewhere)) });
  const move = Object.fromEntries(movable.map((field) => [field.key, twins[field.key]]));
  const answer = await context.call('PATCH', pathOf(resource, second.id), move);
  expect(answer.body).toMatchObject({ status: 409, message });
  const own = Object.fromEntries(movable.map((field) => [field.key, twins[field.key]]));
  expect((await context.call('PATCH', pathOf(resource, made.id), own)).status).toBe(200);
}

export const conflictLaws: readonly Law[] = [
  {
    title: 'refuses a key that is taken, whatever its case and form',
    appliesTo: (resource) => offers('create')(resource) && resource.unique.length > 0,
    check: async (context, resource) => {
      for (const key of resource.unique) await checkKey(context, resource, key);
    },
  },
  {
    title: 'deletes a row once and answers 404 after',
    appliesTo: offers('create', 'delete'),
    check: async (context, resource) => {
      const { id } = await context.make(resource.name);
      const gone = await context.call('DELETE', pathOf(resource, id));
      expect(gone.status, gone.text).toBe(204);
      for (const [method, body] of [
        ['GET', undefined],
        ['DELETE', undefined],
        ...(resource.operations.has('update') ? [['PATCH', {}] as const] : []),
      ] as const) {
        const { body: found } = await context.call(method, pathOf(resource, id), body);
        expect(found, method).toEqual({ status: 404, message: `Object with id '${id}' not found.` });
      }
      if (resource.operations.has('list')) expect(idsOf(await context.all(resource.name))).not.toContain(id);
    },
  },
  {
    title: 'keeps each promise of a reference when its target is deleted',
    appliesTo: offers('create', 'delete'),
    check: async (context, resource) => {
      for (const referrer of referrersOf(context, resource)) await checkReferrer(context, resource, referrer);
    },
  },
];
