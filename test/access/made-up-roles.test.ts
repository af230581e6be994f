// Roles by chance: what each caller sees and may write is compared with a plain evaluator over a map of records, which shares no
// code with the engine.
import { expect, test } from 'vitest';
import { canIn } from '../../src/app/access/can.ts';
import { createToken } from '../../src/storage/tokens.ts';
import type { Call } from '../support/service/client.ts';
import { isObject, type Json } from '../support/service/praxis.ts';
import { type RoleContext, type RoleText, rolesIn, withRoles } from './callers.ts';

/** Unknown where somebody is asked for who is not there. */
type Truth = boolean | undefined;
type Records = Readonly<Record<string, readonly Json[]>>;

/** Where a condition is judged. */
interface World {
  readonly records: Records;
  readonly me: Json | undefined;
}

/** A condition as roles say it, and what it means. */
interface Condition {
  readonly text: string;
  holds(record: Json, world: World): Truth;
}

const refersTo = (record: Json, name: string): string | null => {
  const value = record[name];
  return isObject(value) ? String(value['id']) : null;
};
const named = (records: readonly Json[] | undefined, id: string | null): Json | undefined =>
  records?.find((each) => each['id'] === id);
const asked = (me: unknown, answer: () => boolean): Truth => (me === null || me === undefined ? undefined : answer());
const idOf = (me: Json | undefined): unknown => me?.['id'];

const isMine = (key: string, text = `${key}Id == actor`): Condition => ({
  text,
  holds: (record, { me }) => asked(me, () => refersTo(record, key) === idOf(me)),
});

const conditions: Readonly<Record<string, readonly Condition[]>> = {
  entry: [
    isMine('member'),
    isMine('member', 'member == me'),
    isMine('member', 'me.id == member.id'),
    {
      text: 'member.managerId == actor',
      holds: (record, { me, records }) =>
        asked(me, () => {
          const member = named(records['member'], refersTo(record, 'member'));
          return member !== undefined && refersTo(member, 'manager') === idOf(me);
        }),
    },
    { text: "statusId == 'approved'", holds: ({ statusId }) => statusId === 'approved' },
    { text: "statusId in ['open', 'pending']", holds: ({ statusId }) => statusId === 'open' || statusId === 'pending' },
    { text: 'minutes > 60', holds: ({ minutes }) => Number(minutes) > 60 },
    { text: 'rate >= 50', holds: ({ rate }) => rate !== null && Number(rate) >= 50 },
    { text: 'projectId == null', holds: ({ project }) => project === null },
    { text: 'me.managerId == null', holds: (_record, { me }) => me === undefined || me['manager'] === null },
    {
      text: 'memberId == me.managerId',
      holds: (record, { me }) =>
        asked(me && refersTo(me, 'manager'), () => refersTo(record, 'member') === refersTo(me ?? {}, 'manager')),
    },
    {
      text: 'project.client.ownerId == actor',
      holds: (record, { me, records }) =>
        asked(me, () => {
          const project = named(records['project'], refersTo(record, 'project'));
          const client = project && named(records['client'], refersTo(project, 'client'));
          return client !== undefined && refersTo(client, 'owner') === idOf(me);
        }),
    },
    {
      text: 'staffings.exists(s, s.projectId == projectId && s.memberId == actor)',
      holds: (record, { me, records }) => asked(me, () => isStaffed(records, refersTo(record, 'project'), idOf(me))),
    },
    {
      text: 'staffings.exists(s, s.projectId == projectId && s.memberId == actor && s.leads)',
      holds: (record, { me, records }) =>
        asked(me, () => isStaffed(records, refersTo(record, 'project'), idOf(me), ({ leads }) => leads === true)),
    },
    {
      text: 'staffings.exists(s, s.projectId == projectId && s.memberId == actor && s.memberId != me.managerId)',
      holds: (record, { me, records }) =>
        asked(me && refersTo(me, 'manager'), () => isStaffed(records, refersTo(record, 'project'), idOf(me))),
    },
    {
      text: 'staffings.exists(s, s.projectId == projectId && s.memberId == memberId && s.leads)',
      holds: (record, { records }) =>
        (records['staffing'] ?? []).some(
          (each) =>
            refersTo(each, 'project') === refersTo(record, 'project') &&
            refersTo(each, 'member') === refersTo(record, 'member') &&
            each['leads'] === true,
        ),
    },
  ],
  project: [
    {
      text: 'staffings.exists(s, s.projectId == id && s.memberId == actor)',
      holds: (record, { me, records }) => asked(me, () => isStaffed(records, record['id'], idOf(me))),
    },
    { text: 'budget > 100', holds: ({ budget }) => budget !== null && Number(budget) > 100 },
    {
      text: 'client.ownerId == actor',
      holds: (record, { me, records }) =>
        asked(me, () => {
          const client = named(records['client'], refersTo(record, 'client'));
          return client !== undefined && refersTo(client, 'owner') === idOf(me);
        }),
    },
  ],
  client: [isMine('owner'), { text: 'code == null', holds: ({ code }) => code === null }],
  member: [
    isMine('manager'),
    { text: 'id == actor', holds: ({ id }, { me }) => asked(me, () => id === idOf(me)) },
    { text: 'salary < 4000', holds: ({ salary }) => salary !== null && Number(salary) < 4000 },
  ],
};

const isStaffed = (
  records: Records,
  ...[project, member, holds = () => true]: readonly [unknown, unknown, ((staffing: Json) => boolean)?]
): boolean =>
  (records['staffing'] ?? []).some(
    (each) => refersTo(each, 'project') === project && refersTo(each, 'member') === member && holds(each),
  );

const not = (of: Condition): Condition => ({
  text: `!(${of.text})`,
  holds: (record, world) => {
    const truth = of.holds(record, world);
    return truth === undefined ? undefined : !truth;
  },
});
const both = (a: Condition, b: Condition, sign: '&&' | '||'): Condition => ({
  text: `(${a.text}) ${sign} (${b.text})`,
  holds: (record, world) => {
    const truths = [a.holds(record, world), b.holds(record, world)];
    const decisive = sign === '||';
    if (truths.includes(decisive)) return decisive;
    return truths.includes(undefined) ? undefined : !decisive;
  },
});

interface Rule {
  readonly effect: 'allow' | 'forbid';
  readonly on: string;
  readonly to: readonly string[];
  readonly when: Condition | undefined;
  readonly hide: readonly string[];
  readonly namesAll: boolean;
}

/** Numbers by chance, the same for a seed. */
function chanceOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return {
    below,
    is: (share: number): boolean => next() < share,
    pick: <T>(of: readonly T[]): T => of[below(of.length)] as T,
  };
}
type Chance = ReturnType<typeof chanceOf>;

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  entry: ['date', 'minutes', 'statusId', 'rate', 'notes', 'createdAt', 'member', 'project'],
  project: ['name', 'budget', 'minutes', 'client'],
  client: ['name', 'code', 'owner'],
  member: ['name', 'email', 'isActive', 'salary', 'profile', 'manager'],
};

function conditionBy(chance: Chance, on: string): Condition | undefined {
  if (chance.is(0.15)) return undefined;
  const one = chance.pick(conditions[on] ?? []);
  const other = chance.pick(conditions[on] ?? []);
  const found = chance.is(0.5) ? one : both(one, other, chance.pick(['&&', '||']));
  return chance.is(0.25) ? not(found) : found;
}

function rulesBy(chance: Chance): readonly Rule[] {
  const rules: Rule[] = [];
  for (const on of ['entry', 'entry', 'entry', 'project', 'client', 'member', 'member']) {
    if (chance.is(0.15)) continue;
    const to = chance.pick([
      ['list', 'get'],
      ['list', 'get'],
      ['list'],
      ['get'],
      ['list', 'get', 'create', 'update', 'delete'],
    ]);
    const hide = (fieldsOf[on] ?? []).filter(() => chance.is(0.2));
    rules.push({ effect: 'allow', on, to, when: conditionBy(chance, on), hide, namesAll: chance.is(0.15) });
    if (!chance.is(0.2)) continue;
    const when = conditionBy(chance, on);
    rules.push({
      effect: 'forbid',
      on,
      to: chance.pick([['list', 'get'], ['get'], ['update', 'delete']]),
      when,
      hide: [],
      namesAll: false,
    });
  }
  return rules;
}

const roleOf = (rules: readonly Rule[]): RoleText => {
  const text = ({ effect, on, to, when, hide, namesAll }: Rule) => ({
    ...{ on: [on], to },
    ...(when && { when: when.text }),
    ...(hide.length > 0 && { fields: { hide } }),
    ...(namesAll && effect === 'allow' && to.includes('list') && { names: 'all' }),
  });
  const of = (effect: Rule['effect']) => rules.filter((rule) => rule.effect === effect).map(text);
  return { allow: of('allow'), forbid: of('forbid') };
};

/** What rules show, computed from nothing but the rules and the records. */
class Oracle {
  readonly #rules: readonly Rule[];
  readonly #world: World;

  constructor(rules: readonly Rule[], world: World) {
    this.#rules = rules;
    this.#world = world;
  }

  isGranted(on: string, to: string): boolean {
    return this.#rules.some((rule) => rule.effect === 'allow' && rule.on === on && rule.to.includes(to));
  }

  #about(on: string, to: string, effect: Rule['effect']): readonly Rule[] {
    return this.#rules.filter((rule) => rule.effect === effect && rule.on === on && rule.to.includes(to));
  }

  #holding(on: string, to: string, record: Json): readonly Rule[] {
    return this.#about(on, to, 'allow').filter(
      ({ when }) => when === undefined || when.holds(record, this.#world) === true,
    );
  }

  allows(on: string, to: string, record: Json): boolean {
    const isForbidden = this.#about(on, to, 'forbid').some(
      ({ when }) => when === undefined || when.holds(record, this.#world) !== false,
    );
    return !isForbidden && this.#holding(on, to, record).length > 0;
  }

  shows(on: string, to: string, record: Json, field: string): boolean {
    return this.#holding(on, to, record).some(({ hide }) => !hide.includes(field));
  }

  /** Whether any record could show a field. */
  mayShow(on: string, to: string, field: string): boolean {
    return this.#about(on, to, 'allow').some(({ hide }) => !hide.includes(field));
  }

  isVisible(on: string, record: Json): boolean {
    return this.allows(on, 'list', record) || this.allows(on, 'get', record);
  }

  isNamed(on: string, record: Json): boolean {
    if (
      this.#rules.some((rule) => rule.effect === 'allow' && rule.on === on && rule.namesAll && rule.to.includes('list'))
    )
      return true;
    return (['list', 'get'] as const).some((to) => this.allows(on, to, record) && this.shows(on, to, record, 'name'));
  }

  /** A record as an operation shows it. */
  shown(on: string, to: string, record: Json): Json {
    const shown: [string, unknown][] = [];
    for (const [name, value] of Object.entries(record))
      if (name === 'id' || this.shows(on, to, record, name)) shown.push([name, this.#referred(value, targets[name])]);
    return Object.fromEntries(shown);
  }

  #referred(value: unknown, target: string | undefined): unknown {
    if (!isObject(value) || target === undefined) return value;
    const record = named(this.#world.records[target], String(value['id']));
    const isNamed = target === 'profile' ? false : record !== undefined && this.isNamed(target, record);
    return isNamed ? value : { id: value['id'] };
  }

  /** A page of a list with all that it holds. */
  list(on: string, fields: readonly string[] = []): readonly Json[] {
    return (this.#world.records[on] ?? []).filter(
      (record) => this.allows(on, 'list', record) && fields.every((field) => this.shows(on, 'list', record, field)),
    );
  }
}

const targets: Readonly<Record<string, string>> = {
  member: 'member',
  manager: 'member',
  owner: 'member',
  project: 'project',
  client: 'client',
  profile: 'profile',
};
const paths: Readonly<Record<string, string>> = {
  entry: '/entries',
  project: '/projects',
  client: '/clients',
  member: '/members',
};

async function fill({ make }: RoleContext, chance: Chance): Promise<void> {
  const members: string[] = [];
  for (const name of ['Ada', 'Ben', 'Cleo', 'Dan'])
    members.push(
      (
        await make('member', {
          ...{ name, email: `${name.toLowerCase()}@example.com`, profileId: null },
          salary: chance.is(0.3) ? null : 1000 * chance.below(8),
          managerId: members.length > 0 && chance.is(0.6) ? chance.pick(members) : null,
        })
      ).id,
    );
  const clients: string[] = [];
  for (const name of ['Acme', 'Bolt'])
    clients.push(
      (
        await make('client', {
          name,
          code: chance.is(0.5) ? `C${name}` : null,
          ownerId: chance.is(0.7) ? chance.pick(members) : null,
        })
      ).id,
    );
  const projects: string[] = [];
  for (const name of ['Red', 'Green', 'Blue'])
    projects.push(
      (
        await make('project', {
          name,
          clientId: chance.pick(clients),
          budget: chance.is(0.3) ? null : 50 * chance.below(6),
        })
      ).id,
    );
  for (const projectId of projects)
    for (const memberId of members)
      if (chance.is(0.4)) await make('staffing', { projectId, memberId, leads: chance.is(0.4) });
  for (let n = 0; n < 14; n += 1)
    await make('entry', {
      ...{
        memberId: chance.pick(members),
        date: `2026-03-${10 + chance.below(9)}`,
        minutes: 30 * (1 + chance.below(4)),
      },
      projectId: chance.is(0.25) ? null : chance.pick(projects),
      statusId: chance.pick(['open', 'pending', 'approved', 'rejected']),
      rate: chance.is(0.3) ? null : 25 * chance.below(5),
      notes: chance.is(0.5) ? 'written' : null,
    });
}

async function recordsOf({ all }: RoleContext): Promise<Records> {
  const groups = ['entry', 'project', 'client', 'member', 'staffing'];
  return Object.fromEntries(await Promise.all(groups.map(async (group) => [group, await all(group)] as const)));
}

const rounds = Number(process.env['PRAXIS_ROLES'] ?? 6);
const seed = Number(process.env['PRAXIS_SEED'] ?? 7);
const madeUp = Array.from({ length: rounds }, (_value, n) => rulesBy(chanceOf(seed + 97 * n)));
const roles = Object.fromEntries(
  madeUp
    .map((rules, n) => [`role${n}`, roleOf(rules)])
    .filter(([, text]) => (text as { allow: unknown[] }).allow.length > 0),
);

/** Who holds one of them, and who holds two: their rules are one set then. */
const held = madeUp.flatMap((rules, n) => {
  const next = (n + 1) % madeUp.length;
  const both = [n, next].map((each) => `role${each}`);
  return [
    { names: [`role${n}`], rules },
    { names: both, rules: [...rules, ...(madeUp[next] ?? [])] },
  ].filter(({ names }) => names.every((name) => roles[name] !== undefined));
});

withRoles('roles by chance', { folder: 'studio', roles }, (context) => {
  const bodiesOf = (answer: { body: unknown }): Json[] => (answer.body as { results: Json[] }).results;

  test('show what a plain evaluator says, and nothing else', async () => {
    await fill(context, chanceOf(seed));
    const records = await recordsOf(context);
    expect(rolesIn(context.registry, roles).roles?.byName.size).toBe(Object.keys(roles).length);
    for (const { names, rules } of held) {
      for (const me of [undefined, ...(records['member'] ?? [])]) {
        const call = context.as(me === undefined ? null : String(me['id']), ...names);
        const oracle = new Oracle(rules, { records, me });
        const where = `${names.join()} of seed ${seed}: ${JSON.stringify(roleOf(rules))}, ${String(me?.['name'])}`;
        for (const [group, path] of Object.entries(paths)) {
          if (oracle.isGranted(group, 'list')) {
            const expected = oracle.list(group).map((record) => oracle.shown(group, 'list', record));
            const answer = await call('GET', `${path}?limit=100&count=true`);
            expect({ where, ...(answer.body as Json) }).toEqual({
              where,
              results: expected,
              hasMore: false,
              count: expected.length,
            });
            const walked: unknown[] = [];
            for (let more = true, after = ''; more; after = `&startingAfter=${String(walked.at(-1))}`) {
              const page = await call('GET', `${path}?limit=2${after}`);
              walked.push(...bodiesOf(page).map(({ id }) => id));
              more = (page.body as Json)['hasMore'] === true;
            }
            expect({ where, walked }).toEqual({ where, walked: expected.map(({ id }) => id) });
            const summed = await call('GET', `/summary${path}?count=true`);
            expect({ where, rows: (summed.body as Json)['rows'] }).toEqual({ where, rows: expected.length });
          }
          for (const record of oracle.isGranted(group, 'get') ? (records[group] ?? []) : []) {
            const got = await call('GET', `${path}/${String(record['id'])}`);
            if (!oracle.allows(group, 'get', record))
              expect({ where, text: got.text }).toEqual({
                where,
                text: `{"status":404,"message":"Object with id '${String(record['id'])}' not found."}`,
              });
            else expect({ where, body: got.body }).toEqual({ where, body: oracle.shown(group, 'get', record) });
          }
        }
        if (!oracle.isGranted('entry', 'list')) continue;
        for (const [query, field, passes] of [
          ['minutesAbove=60', 'minutes', (entry: Json) => Number(entry['minutes']) > 60],
          ['rateAtLeast=50', 'rate', (entry: Json) => entry['rate'] !== null && Number(entry['rate']) >= 50],
          ['statusId=open', 'statusId', (entry: Json) => entry['statusId'] === 'open'],
          [
            `memberId=${String(records['member']?.[0]?.['id'])}`,
            'member',
            (entry: Json) => refersTo(entry, 'member') === records['member']?.[0]?.['id'],
          ],
        ] as const) {
          const answer = await call('GET', `/entries?limit=100&${query}`);
          if (!oracle.mayShow('entry', 'list', field)) {
            expect({ where, query, status: answer.status }).toEqual({ where, query, status: 400 });
            continue;
          }
          const expected = oracle
            .list('entry', [field])
            .filter(passes)
            .map(({ id }) => id);
          expect({ where, query, ids: bodiesOf(answer).map(({ id }) => id) }).toEqual({ where, query, ids: expected });
        }
        const sorted = await call('GET', '/entries?limit=100&sort=rate');
        if (!oracle.mayShow('entry', 'list', 'rate'))
          expect({ where, status: sorted.status }).toEqual({ where, status: 400 });
        else
          expect({ where, ids: new Set(bodiesOf(sorted).map(({ id }) => id)) }).toEqual({
            where,
            ids: new Set(oracle.list('entry', ['rate']).map(({ id }) => id)),
          });
        const summed = await call('GET', '/summary/entries?sum=minutes');
        if (!oracle.mayShow('entry', 'list', 'minutes'))
          expect({ where, status: summed.status }).toEqual({ where, status: 400 });
        else {
          const sum = oracle.list('entry', ['minutes']).reduce((all, { minutes }) => all + Number(minutes), 0);
          expect({ where, body: summed.body }).toMatchObject({ where, body: { results: [{ sum: { minutes: sum } }] } });
        }
        if (oracle.mayShow('entry', 'list', 'project')) {
          const expanded = await call('GET', '/entries?limit=100&expand=project');
          for (const [index, entry] of oracle.list('entry').entries()) {
            const found = bodiesOf(expanded)[index]?.['project'];
            const project = named(records['project'], refersTo(entry, 'project'));
            const isGot = project !== undefined && oracle.allows('project', 'get', project);
            const shown = !oracle.shows('entry', 'list', entry, 'project')
              ? undefined
              : isGot
                ? oracle.shown('project', 'get', project)
                : oracle.shown('entry', 'list', entry)['project'];
            expect({ where, found }).toEqual({ where, found: shown });
          }
        }
        const operations = (records['entry'] ?? []).map(({ id }) => ({
          method: 'GET',
          path: `/entries/${String(id)}`,
        }));
        if (!oracle.isGranted('entry', 'get')) continue;
        const batch = await call('POST', '/batch', { atomic: false, operations });
        const statuses = bodiesOf(batch).map(({ status }) => status);
        expect({ where, statuses }).toEqual({
          where,
          statuses: (records['entry'] ?? []).map((entry) => (oracle.allows('entry', 'get', entry) ? 200 : 404)),
        });
      }
    }
  }, 600_000);

  test('let be written what a plain evaluator says', async () => {
    const records = await recordsOf(context);
    for (const { names, rules } of held) {
      for (const me of [undefined, ...(records['member'] ?? [])]) {
        const call = context.as(me === undefined ? null : String(me['id']), ...names);
        const oracle = new Oracle(rules, { records, me });
        if (!oracle.isGranted('entry', 'update')) continue;
        for (const entry of records['entry'] ?? []) {
          const where = `${names.join()} of seed ${seed}: ${JSON.stringify(roleOf(rules))}, ${String(me?.['name'])}, ${String(entry['id'])}`;
          // A trial: nothing is left, so that all are judged over the same records.
          const notes = entry['notes'] === 'seen' ? 'unseen' : 'seen';
          const answer = await call(
            'PATCH',
            `/entries/${String(entry['id'])}`,
            { notes },
            { headers: { Prefer: 'tx=rollback' } },
          );
          const expected = !oracle.isVisible('entry', entry)
            ? 404
            : oracle.allows('entry', 'update', entry)
              ? 200
              : 403;
          expect({ where, status: answer.status }).toEqual({ where, status: expected });
        }
      }
    }
  }, 600_000);

  test('what is told of a record is what requests answer, in 500 cases', async () => {
    const records = await recordsOf(context);
    const callers: { readonly call: Call; readonly who: string; readonly where: string }[] = [];
    for (const role of Object.keys(roles))
      for (const me of [null, ...(records['member'] ?? []).map(({ id }) => String(id))]) {
        const { id } = await createToken(context.workspace.unit, {
          ...{ name: role, roles: [role] },
          ...(me !== null && { memberId: me }),
        });
        const where = `${role} of seed ${seed}: ${JSON.stringify(roles[role])}, ${me}`;
        callers.push({ call: context.as(me, role), who: id, where });
      }
    const chance = chanceOf(seed + 1);
    const counts = { allowed: 0, refused: 0, unseen: 0 };
    const trial = { headers: { Prefer: 'tx=rollback' } };
    for (let n = 0; n < 500; n += 1) {
      const { call, who, where } = chance.pick(callers);
      const group = chance.pick(Object.keys(paths));
      const operation = chance.pick(['list', 'get', 'update', 'delete'] as const);
      const id = String(chance.pick(records[group] ?? [])['id']);
      const path = `${paths[group]}/${id}`;
      const answered = async (): Promise<boolean> => {
        if (operation === 'list') {
          const page = await call('GET', `${paths[group]}?limit=100`);
          return page.status === 200 && bodiesOf(page).some((each) => each['id'] === id);
        }
        if (operation === 'get') return (await call('GET', path)).status === 200;
        if (operation === 'update') return (await call('PATCH', path, {}, trial)).status === 200;
        // What is in use is not deleted, whoever may.
        return [200, 204, 409].includes((await call('DELETE', path, undefined, trial)).status);
      };
      const told = await call('GET', `/access${path}`);
      const can = await canIn(context.workspace, { who, operation, target: `${group}/${id}` });
      const operations = (told.body as { operations?: Record<string, { allowed: boolean }> }).operations;
      const isAllowed = await answered();
      const at = { where, operation, path };
      expect({ ...at, can: can.allowed }).toEqual({ ...at, can: isAllowed });
      expect({ ...at, route: operations?.[operation]?.allowed === true }).toEqual({ ...at, route: isAllowed });
      expect(told.status).toBe(can.refusal === null ? 200 : 404);
      counts[isAllowed ? 'allowed' : told.status === 200 ? 'refused' : 'unseen'] += 1;
    }
    // Each of them is really among the cases.
    expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(40);
  }, 600_000);
});
