// Valid bodies of every group out of its descriptor: what a field takes comes from its kind, what several fields must be
// together from the short table `recipes`.
import type { Field, Registry, Resource, Scalar, Value, Values } from '../../../src/registry/model/model.ts';
import { addDays } from '../../../src/values/date.ts';
import { type Call, isObject, type Json } from '../service/client.ts';

export type Overrides = Readonly<Record<string, unknown>>;
/** `required`: only what a create cannot do without. `all`: a value for every field that may have one. */
export type Extent = 'required' | 'all';
type Made = Json & { readonly id: string };
/** What values are wanted for, and for which of its fields. */
interface Wanted {
  readonly fields: readonly Field[];
  readonly extent: Extent;
  /** Of the record itself; an object or an item in it has none. */
  readonly resource?: Resource;
}
type Recipe = (maker: RecordMaker, extent: Extent, overrides: Overrides) => Promise<Overrides> | Overrides;

const billable: Overrides = { billingTypeId: 'tm' };
const detailed: Overrides = {
  useBudget: true,
  budgetMode: 'detailed',
  useMonthlyBudget: true,
  monthlyBudgetMode: 'detailed',
};

const amounts: Overrides = { quantity: undefined, rate: undefined, fee: 12.5 };

async function budgetItem(maker: RecordMaker, _extent: Extent, overrides: Overrides): Promise<Overrides> {
  return {
    projectId: overrides['projectId'] ?? (await maker.make('project', { ...detailed, ...billable })).id,
    invoiceItemId: overrides['invoiceItemId'] ?? (await maker.make('invoice-item', { typeId: 'income' })).id,
  };
}

async function projectItem(maker: RecordMaker, extent: Extent, overrides: Overrides): Promise<Overrides> {
  return { ...(await budgetItem(maker, extent, overrides)), ...amounts };
}

function ratePeriod(): Overrides {
  const start = addDays('2030-01-01', next() * 3);
  return { fromCurrency: 'EUR', toCurrency: 'USD', start, end: addDays(start, 1) };
}

/** What the descriptors' rules ask of several fields together; undefined leaves a field out. */
const recipes: Readonly<Record<string, Recipe>> = {
  'expense-category': async (maker) => ({
    invoiceItemId: (await maker.make('invoice-item', { typeId: 'expense' })).id,
  }),
  'payment-term': () => ({ type: 'net' }),
  client: (_maker, extent) => (extent === 'all' ? { invoiceDetailsSource: 'custom' } : {}),
  'client-role': (_maker, _extent, overrides) =>
    'workspaceRoleId' in overrides ? {} : { workspaceRoleId: undefined, name: nameFor('Client Role') },
  // On an update the name follows the first and the last name.
  contact: (_maker, extent) =>
    extent === 'all' ? { firstName: 'Ada', lastName: nameFor('Byron'), name: undefined } : { name: nameFor('Contact') },
  member: (_maker, extent) => (extent === 'all' ? { allowedTimeOffTypes: 'custom' } : {}),
  project: async (maker, extent, overrides) => {
    if (extent !== 'all') return {};
    const clientId = overrides['clientId'] ?? (await maker.shared('client'));
    return {
      clientId,
      projectGroupId: (await maker.make('project-group', { clientId })).id,
      useBudget: true,
      useMonthlyBudget: true,
    };
  },
  'project-role': async (maker, extent, overrides) => {
    if (extent !== 'all') return { name: nameFor('Project Role') };
    const project = overrides['projectId'] ?? (await maker.make('project', { ...detailed, ...billable })).id;
    return { projectId: project, clientRoleId: undefined };
  },
  'project-member': async (maker, extent, overrides) => {
    if (extent !== 'all') return {};
    const projectId =
      overrides['projectId'] ?? (await maker.make('project', { ...detailed, ...billable, useRoles: false })).id;
    return { projectId, isBillable: true, projectRoleIds: undefined };
  },
  'project-monthly-budget-expense': async (maker, _extent, overrides) => ({
    projectId: overrides['projectId'] ?? (await maker.make('project', { ...detailed, ...billable })).id,
    billableAmount: 12.5,
  }),
  'project-rate-card': async (maker, extent, overrides) => {
    const projectId = overrides['projectId'] ?? (await maker.make('project', billable)).id;
    // The first card of a project has no start, and every other one has.
    const hasCards = await maker.hasSome('project-rate-card', `projectId=${String(projectId)}`);
    if (!hasCards && (extent === 'all' || 'start' in overrides)) await maker.make('project-rate-card', { projectId });
    const start = hasCards || extent === 'all' ? { start: addDays('2030-01-01', next()) } : {};
    if (extent !== 'all') return { projectId, ...start };
    const member = await maker.make('project-member', { projectId });
    const role = await maker.make('project-role', { projectId });
    const shown = member['member'];
    return {
      projectId,
      ...start,
      memberRates: [{ memberId: isObject(shown) ? shown['id'] : undefined, rate: 80.5 }],
      roleRates: [{ projectRoleId: role.id, rate: null }],
    };
  },
  invoice: async (maker, extent, overrides) => {
    if (extent !== 'all') return {};
    const clientId = overrides['clientId'] ?? (await maker.shared('client'));
    const project = await maker.make('project', { clientId, ...billable });
    const item = await maker.make('project-service-item', { projectId: project.id });
    const line = { kindId: 'services', description: 'Work', amount: 20.5, taxable: true, projectId: project.id };
    const sources = [{ typeId: 'project_service_item', id: item.id }];
    return { clientId, discountMethod: 'percentage', lines: [{ ...line, sources }] };
  },
  payment: async (maker, extent, overrides) => {
    if (extent !== 'all') return {};
    const clientId = overrides['clientId'] ?? (await maker.shared('client'));
    const lines = [{ kindId: 'services', quantity: 1, rate: 100, taxable: false }];
    const invoice = await maker.make('invoice', { clientId, statusId: 'issued', lines });
    return { clientId, currency: invoice['currency'], amount: 10, invoices: [{ id: invoice.id, amount: 10 }] };
  },
  'exchange-rate-period': ratePeriod,
  'credit-note': async (maker, extent, overrides) => {
    if (extent !== 'all') return {};
    const clientId = overrides['clientId'] ?? (await maker.shared('client'));
    const project = await maker.make('project', { clientId });
    const lines = [{ description: 'Work', amount: 20.5, taxable: true, projectId: project.id }];
    return { clientId, lines, invoices: undefined };
  },
  opportunity: (_maker, extent) => (extent === 'all' ? { openDate: '2030-01-01', closeDate: '2030-02-01' } : {}),
  'project-billing-schedule-item': async (maker, _extent, overrides) => ({
    projectId: overrides['projectId'] ?? (await maker.make('project', { billingTypeId: 'fixed' })).id,
    ...amounts,
    invoiceItemId: overrides['invoiceItemId'] ?? (await maker.make('invoice-item', { typeId: 'income' })).id,
  }),
  'project-budget-expense': async (maker, _extent, overrides) => ({
    projectId: overrides['projectId'] ?? (await maker.make('project', { ...detailed, ...billable })).id,
    billableAmount: 12.5,
  }),
  ...Object.fromEntries(
    ['service', 'product', 'other'].flatMap((kind) => [
      [`project-budget-${kind}-item`, budgetItem],
      [`project-monthly-budget-${kind}-item`, budgetItem],
      [`project-${kind}-item`, projectItem],
    ]),
  ),
  'project-expense': async (maker, extent, overrides) => ({
    projectId: overrides['projectId'] ?? (await maker.make('project', billable)).id,
    ...(extent === 'all' ? { isBillable: true, markupMethod: 'percentage', markupRatio: 0.5 } : {}),
  }),
  'project-prepayment': async (maker, _extent, overrides) => ({
    projectId: overrides['projectId'] ?? (await maker.make('project', billable)).id,
    invoiceItemId: overrides['invoiceItemId'] ?? (await maker.make('invoice-item', { typeId: 'income' })).id,
  }),
  'project-revenue-adjustment': async (maker, _extent, overrides) => ({
    projectId: overrides['projectId'] ?? (await maker.make('project', billable)).id,
    amount: -12.5,
  }),
  'project-revenue-recognition-entry': async (maker, _extent, overrides) => ({
    projectId:
      overrides['projectId'] ??
      (await maker.make('project', { billingTypeId: 'fixed', revenueRecognitionMethod: 'manual' })).id,
  }),
  'task-category': () => ({ type: 'standard', isDefault: false }),
  task: async (maker, extent, overrides) => {
    if (extent !== 'all') return { name: nameFor('Task') };
    const projectId = overrides['projectId'] ?? (await maker.make('project', billable)).id;
    const category = await maker.make('task-category', { type: 'rollup' });
    const parent = await maker.make('task', { projectId, taskCategoryId: category.id });
    const [role, member] = [
      await maker.make('project-role', { projectId }),
      await maker.make('project-member', { projectId }),
    ];
    return {
      projectId,
      parentId: parent.id,
      taskTemplateId: undefined,
      projectRoles: [{ id: role.id, hours: 2.5 }],
      projectMembers: [{ id: member.id, hours: 1.5 }],
    };
  },
  allocation: async (maker, extent, overrides) => {
    const start = addDays('2030-01-01', next());
    const isHeld = 'resourcePlaceholderId' in overrides;
    const isOff = 'timeOffTypeId' in overrides;
    const common = {
      ...{ resourceTypeId: isHeld ? 'placeholder' : 'member', assignmentTypeId: isOff ? 'time_off' : 'project' },
      ...{ unit: 'day', hoursPerDay: 4, start, end: addDays(start, 3) },
    };
    if (isOff) return common;
    const projectId = overrides['projectId'] ?? (await maker.make('project', billable)).id;
    if (extent !== 'all') return { ...common, projectId };
    const role = await maker.make('project-role', { projectId });
    const task = await maker.make('task', { projectId });
    return { ...common, projectId, projectRoleId: role.id, taskId: task.id };
  },
  'time-entry': async (maker, extent, overrides) => {
    const projectId =
      overrides['projectId'] ?? (await maker.make('project', { ...billable, useRoles: extent === 'all' })).id;
    const member =
      overrides['memberId'] ??
      (await maker.make('member', { trackTimeByDuration: true, trackTimeByTimeRange: true })).id;
    const roles = extent === 'all' ? [(await maker.make('project-role', { projectId })).id] : [];
    const isIn = await maker.hasSome('project-member', `projectId=${String(projectId)}&memberId=${String(member)}`);
    if (!isIn) await maker.make('project-member', { projectId, memberId: member, projectRoleIds: roles });
    const common = { typeId: 'project_time', statusId: 'not_submitted', projectId, memberId: member };
    if (extent !== 'all') return { ...common, minutes: 30 };
    const task = await maker.make('task', { projectId });
    return {
      ...common,
      ...{ projectRoleId: roles[0], taskId: task.id, isBillable: true },
      ...{ startTime: '09:00', endTime: '10:30', minutes: 60 },
    };
  },
  'timesheet-attestation': async (maker) => {
    await maker.attestTimesheets();
    return {};
  },
  timesheet: async (maker, _extent, overrides) => {
    const monday = addDays('2029-12-31', next() * 7);
    const memberId = overrides['memberId'] ?? (await maker.make('member')).id;
    await maker.make('time-entry', { memberId, date: overrides['start'] ?? monday });
    return { memberId, start: monday, end: addDays(monday, 6) };
  },
  'expense-item': async (maker, extent, overrides) => {
    if (extent !== 'all' && !('projectId' in overrides)) return { amount: 12.5 };
    const memberId = (await maker.make('member')).id;
    const report = await maker.make('expense-report', { memberId });
    const projectId = overrides['projectId'] ?? (await maker.make('project', billable)).id;
    await maker.make('project-member', { projectId, memberId });
    return {
      expenseReportId: report.id,
      projectId,
      ...{ isBillable: true, markupMethod: 'percentage', markupRatio: 0.25 },
      ...{ amount: 12.5, unitCount: undefined, unitAmount: undefined },
    };
  },
  'expense-receipt': async (maker, extent) => {
    const item = extent === 'all' ? await maker.make('expense-item') : undefined;
    const member = item?.['member'];
    const memberId = isObject(member) ? member['id'] : (await maker.make('member')).id;
    return { memberId, expenseItemId: item?.id };
  },
  // The engine's own groups.
  rate: ratePeriod,
  book: (_maker, extent) => (extent === 'all' ? { isPaperback: true, price: 12.5, shipping: 1.25 } : {}),
};
let counter = 0;
/** Makes values from here on as those of a process that has made none: what they are then is the same whatever ran before. */
export function beginValuesAnew(): void {
  counter = 0;
}

const next = (): number => {
  counter += 1;
  return counter;
};
/** A text that no other record has. */
const nameFor = (title: string): string => `${title} ${next()}`;

export class RecordMaker {
  readonly #registry: Registry;
  readonly #call: Call;
  readonly #shared = new Map<string, Promise<string>>();

  constructor(registry: Registry, call: Call) {
    this.#registry = registry;
    this.#call = call;
  }

  async make(group: string, overrides: Overrides = {}, extent: Extent = 'required'): Promise<Made> {
    const { path } = this.#resource(group);
    const body = await this.bodyOf(group, overrides, extent);
    const answer = await this.#call('POST', path, body);
    if (answer.status !== 200) throw new Error(`POST ${path} ${JSON.stringify(body)} answers ${answer.text}`);
    return answer.body as Made;
  }

  /** Attestations are taken while the workspace has a statement. */
  async attestTimesheets(): Promise<void> {
    await this.#call('PATCH', '/workspace-settings', { timesheetAttestationStatement: 'I confirm.' });
  }

  async hasSome(group: string, query: string): Promise<boolean> {
    const { body } = await this.#call('GET', `${this.#resource(group).path}?limit=1&${query}`);
    return isObject(body) && Array.isArray(body['results']) && body['results'].length > 0;
  }

  /** Id of a record that tests refer to and never change. */
  shared(group: string): Promise<string> {
    const made = this.#shared.get(group) ?? this.make(group).then(({ id }) => id);
    this.#shared.set(group, made);
    return made;
  }

  async bodyOf(group: string, overrides: Overrides = {}, extent: Extent = 'required'): Promise<Json> {
    const resource = this.#resource(group);
    const recipe = (await recipes[group]?.(this, extent, overrides)) ?? {};
    const body: Json = { ...recipe, ...overrides };
    await this.#complete(body, { fields: resource.fields, extent, resource });
    return Object.fromEntries(
      resource.fields.flatMap(({ key }) => (body[key] === undefined ? [] : [[key, body[key]]])),
    );
  }

  #resource(group: string): Resource {
    const resource = this.#registry.resources.get(group);
    if (resource === undefined) throw new Error(`there is no group ${group}`);
    return resource;
  }

  /** Gives values to the fields that still have none. */
  async #complete(body: Json, { fields, extent, resource }: Wanted): Promise<void> {
    const open = fields.filter(({ key, onCreate }) => onCreate && !Object.hasOwn(body, key));
    for (const field of open) {
      if (field.required || (extent === 'all' && applies(field, fields, body)))
        body[field.key] = await this.valueOf(field, resource, extent);
    }
    for (const field of open) {
      const { key, requiredWhen, onlyWhen } = field;
      if (onlyWhen !== undefined && body[key] !== undefined && !applies(field, fields, body)) delete body[key];
      if (
        body[key] === undefined &&
        field.default === undefined &&
        requiredWhen?.test(withDefaults(fields, body)) === true
      )
        body[key] = await this.valueOf(field, resource, extent);
    }
  }

  /** A value that a body may have for a field; another one each time, where there are others. */
  async valueOf(field: Field, resource?: Resource, extent: Extent = 'required'): Promise<unknown> {
    switch (field.kind) {
      case 'reference': {
        const isKey = resource?.unique.some(
          ({ fields }) => fields.includes(field) && !fields.some(({ kind }) => kind === 'text'),
        );
        return isKey === true ? (await this.make(field.target)).id : this.shared(field.target);
      }
      case 'references':
        return field.target === resource?.name
          ? [await this.shared(field.target)]
          : [(await this.make(field.target)).id, await this.shared(field.target)];
      case 'list': {
        const values = listOf(
          field.item,
          field.minItems === field.maxItems ? field.maxItems : Math.min(2, field.maxItems),
        );
        return values.slice(0, field.maxItems);
      }
      case 'object': {
        const object: Json = {};
        await this.#complete(object, { fields: field.fields, extent });
        return object;
      }
      case 'objects': {
        const items: Json[] = [];
        for (const _place of [1, 2].slice(0, field.maxItems)) {
          const item: Json = field.hasIds ? { id: undefined } : {};
          for (const inside of field.fields)
            if (inside.kind === 'choice') Object.assign(item, await this.#choose(inside));
          const distinct = field.fields.find(({ key }) => key === field.distinct);
          if (distinct?.kind === 'reference') item[distinct.key] = (await this.make(distinct.target)).id;
          await this.#complete(item, { fields: field.fields, extent });
          delete item[field.hasIds ? 'id' : ''];
          items.push(item);
        }
        return items;
      }
      case 'choice':
        throw new Error(`${field.name} has no value without the field beside it`);
      default:
        return scalarValue(field, resource?.title ?? field.name);
    }
  }

  /** An id of one of several groups, with the field that tells which. */
  async #choose({ key, by, branches }: Extract<Field, { kind: 'choice' }>): Promise<Json> {
    const branch = branches[next() % branches.length];
    return branch === undefined ? {} : { [by]: branch.value, [key]: (await this.make(branch.reference.target)).id };
  }
}

/** A body with the values that its missing fields will take, as conditions see them. */
export function withDefaults(fields: readonly Field[], body: Readonly<Json>): Values {
  return Object.fromEntries(
    fields.map(({ key, kind, default: value }) => [
      key,
      (body[key] as Value | undefined) ??
        value ??
        (kind === 'references' || kind === 'objects' || kind === 'list' ? [] : null),
    ]),
  );
}

/** Whether a field may have a value beside the others of a body. */
function applies(field: Field, fields: readonly Field[], body: Readonly<Json>): boolean {
  return field.onlyWhen === undefined || !field.onlyWhen.rulesOut(withDefaults(fields, body));
}

function listOf(item: Scalar, count: number): unknown[] {
  if (item.kind === 'enum') return item.values.slice(0, count);
  if (item.kind === 'text' && item.format === 'currency') return ['EUR', 'JPY', 'USD'].slice(0, count);
  return Array.from({ length: count }, () => scalarValue(item, 'Item'));
}

/** A value of a kind, another one each time where there are others. */
function scalarValue(scalar: Scalar & { readonly default?: Value | undefined }, word: string): unknown {
  const n = next();
  switch (scalar.kind) {
    case 'text':
      return textValue(scalar, word, n);
    case 'enum':
      return scalar.default ?? scalar.values[0];
    case 'boolean':
      return scalar.default ?? true;
    case 'date':
      return addDays('2001-01-01', n);
    case 'integer':
      return scalar.minimum + (n % Math.min(1000, scalar.maximum - scalar.minimum + 1));
    case 'decimal': {
      const { scale, minimum, maximum } = scalar;
      const least = Math.max(0, minimum ?? 0);
      const unit = 10 ** -scale;
      const most = Math.min(maximum ?? 1e9, 10 ** (scalar.precision - scale) - 1, least + 500);
      const steps = Math.max(1, Math.floor((most - least) / unit));
      return Number((least + (1 + ((n * 7) % steps)) * unit).toFixed(scale));
    }
    case 'uuid':
      return undefined;
    case 'json':
      return { n, 'ä "quoted"': [1, null, 0.5, { deep: [true, 'text', {}] }], empty: [] };
    case 'dateTime':
      return `${addDays('2001-01-01', n)}T09:30:00.${String(n % 1000).padStart(3, '0')}Z`;
  }
}

function textValue({ maxLength, format, sample }: Extract<Scalar, { kind: 'text' }>, word: string, n: number): string {
  if (sample !== undefined) return sample;
  switch (format) {
    case 'email':
      return `person${n}@example.com`;
    case 'url':
      return `https://example.com/${n}?a=b#c`;
    case 'time-zone':
      return 'Europe/Paris';
    case 'currency':
      return 'EUR';
    case 'time':
      return `${String(n % 24).padStart(2, '0')}:30`;
    case 'slug':
      return `key-${n}`;
    case undefined: {
      const text = `${word} Ä${n}`;
      return [...text].slice(-maxLength).join('');
    }
  }
}
