// The members: who they are, what they cost, when they work and when they are away.
import { addDays } from '../../values/date.ts';
import {
  certificationsOf,
  firstNames,
  lastNames,
  type Person,
  type Position,
  people,
  skillsOf,
} from '../data/people.ts';
import { addMonths, daysFrom, isWeekend, mondayOf, timeAt, weekday, workdayFrom } from '../plan/calendar.ts';
import type { Plan } from '../plan/plan.ts';
import type { Planned } from '../plan/planned.ts';
import { holidayDates } from './house.ts';

export interface Staff {
  readonly record: Planned;
  readonly name: string;
  readonly position: Position;
  readonly start: string;
  /** When the record is made, and what goes with it. */
  readonly at: number;
  /** Last working day, for those who have left. */
  readonly end: string | undefined;
  /** Days with neither weekend, holiday nor day off; of those in `away`, the kind of absence. */
  worksOn(date: string): boolean;
  readonly away: ReadonlyMap<string, string>;
  /** Who approves what this member hands in; nobody for the partners, whose time off and expenses need no approval. */
  readonly manager: Staff | undefined;
}

/** Plans the members of one firm. @param copy 0 for the people of the list; others have names of their own. */
export function planPeople(plan: Plan, copy: number): readonly Staff[] {
  const holidays = holidayDates(plan);
  const staff: Staff[] = [];
  for (const [place, person] of people.entries()) {
    const manager = person.manager === undefined ? undefined : staff[person.manager];
    const name = copy === 0 ? person.name : nameOf(copy * people.length + place);
    staff.push(planMember(plan, { ...person, name }, { place: copy * people.length + place, manager, holidays }));
  }
  return staff;
}

/** Names that are not had twice: the two lists have lengths of which one step each goes through all pairs. */
function nameOf(number: number): string {
  const first = firstNames[number % firstNames.length];
  const last = lastNames[(number + Math.floor(number / firstNames.length)) % lastNames.length];
  const round = Math.floor(number / (firstNames.length * lastNames.length));
  return `${first} ${last}${round === 0 ? '' : ` ${round + 1}`}`;
}

interface Circumstances {
  readonly place: number;
  readonly manager: Staff | undefined;
  readonly holidays: ReadonlySet<string>;
}

/** What somebody may do in the workspace. Where nobody has roles, the profiles that set-up makes are enough. */
function profileOf({ level, title }: Person['position'], { hasRoles }: Plan): string {
  const ofTitle: Readonly<Record<string, string>> = {
    'Managing Partner': 'Administrator',
    'Finance Manager': 'Billing',
  };
  return (hasRoles ? ofTitle[title] : undefined) ?? (level === 'Partner' ? 'Manager' : 'Member');
}

function planMember(plan: Plan, person: Person, { place, manager, holidays }: Circumstances): Staff {
  const { random, timeline, span } = plan;
  const { position } = person;
  const start = workdayFrom(addMonths(span.first, person.joined));
  const end = person.left === undefined ? undefined : addMonths(span.first, person.left);
  const hasLeft = end !== undefined && end <= span.last;
  const at = start <= span.first ? plan.opening : timeAt(start, [6, random.between(0, 59)]);
  const isOffice = position.rate === 0;
  const record = timeline.make(at, (praxis) =>
    praxis.members.create({
      name: person.name,
      email: `${addressOf(person.name)}@lindqvist-moreau.example`,
      isBillable: !isOffice,
      loginEnabled: true,
      employmentTypeId: person.isContractor === true ? 'contractor' : 'employee',
      defaultRate: isOffice ? null : position.rate,
      activeStartDate: start,
      activeEndDate: end ?? null,
      timeOffApprovalMode: manager === undefined ? 'auto' : 'manager',
      internalExpenseApprovalMode: manager === undefined ? 'auto' : 'manager',
      ...(person.isContractor === true
        ? {
            allowedTimeOffTypes: 'custom',
            timeOffTypeIds: ['Vacation', 'Sick Leave'].map((type) => plan.id('timeOffTypes', type)),
          }
        : {}),
      internalId: `LM-${String(place + 101).padStart(4, '0')}`,
      securityRoleId: plan.id('securityRoles', profileOf(position, plan)),
      jobTitleId: plan.id('jobTitles', position.title),
      levelId: plan.id('memberLevels', position.level),
      disciplineId: plan.id('disciplines', position.discipline),
      practiceId: plan.id('practices', position.practice),
      locationId: plan.id('locations', person.location),
      businessUnitId: plan.id('businessUnits', person.location === 'Toronto' ? 'North America' : 'Europe'),
      managerId: manager?.record.id ?? null,
      tagIds: tagsOf(person).map((name) => plan.id('memberTags', name)),
      skillIds: skillIds.map((name) => plan.id('skills', name)),
      certificationIds: certificationIds.map((name) => plan.id('memberCertifications', name)),
    }),
  );
  const skillIds = random.some(skillsOf[position.discipline], 2);
  const certificationIds = random.chance(0.4) ? certificationsOf[position.discipline].slice(0, 1) : [];
  timeline.add(at + 60_000, (praxis) => praxis.members.update(record.id, { invitationStatusId: 'invited' }));
  if (!random.chance(0.1))
    timeline.add(at + 3_600_000, (praxis) => praxis.members.update(record.id, { invitationStatusId: 'accepted' }));
  if (hasLeft && end !== undefined)
    timeline.add(plan.during(addDays(end, 1)), (praxis) => praxis.members.update(record.id, { isActive: false }));
  planPeriods(plan, person, { member: record, at, start });
  const days = person.days ?? 5;
  const away = absences(plan, start, end ?? span.last);
  return {
    record,
    name: person.name,
    position,
    start,
    at: at + 200_000,
    end,
    away,
    manager,
    worksOn: (date) =>
      weekday(date) < days && !holidays.has(date) && date >= start && (end === undefined || date <= end),
  };
}

const tagsOf = ({ days, joined, position }: Person): string[] => [
  ...(days === undefined ? [] : ['Part-time']),
  ...(joined < -40 && position.level !== 'Partner' ? ['Mentor'] : []),
  ...(position.title.startsWith('Engineering') ? ['On call'] : []),
];

/** A member who has been made, when, and the first working day. */
interface Joining {
  readonly member: Planned;
  readonly at: number;
  readonly start: string;
}

/** Costs rise each year; the first periods are there with the member. */
function planPeriods(plan: Plan, { position, days = 5 }: Person, { member, at, start }: Joining): void {
  const { timeline, span } = plan;
  const cost = (factor: number) => ({
    costPerHour: Math.round(position.cost * factor * 100) / 100,
    overheadCostPerHour: Math.round(position.cost * factor * 18) / 100,
  });
  const after = at + 120_000;
  const raise = `${span.last.slice(0, 4)}-01-01`;
  const first = addDays(start, 1);
  timeline.make(after, (praxis) => praxis.costPeriods.create({ memberId: member.id, start: first, ...cost(1) }));
  timeline.make(after, (praxis) =>
    praxis.utilizationTargetPeriods.create({
      memberId: member.id,
      start: first,
      targetPercentage: position.target,
    }),
  );
  if (days < 5)
    timeline.make(after, (praxis) =>
      praxis.availabilityPeriods.create({
        memberId: member.id,
        start: first,
        hoursPerDay: Array.from({ length: 7 }, (_day, day) => (day < days ? 8 : 0)),
      }),
    );
  if (first >= raise) return;
  const raisedAt = Math.max(after + 1, plan.during(workdayFrom(raise < span.first ? span.first : raise)));
  timeline.make(raisedAt, (praxis) => praxis.costPeriods.create({ memberId: member.id, start: raise, ...cost(1.035) }));
  timeline.make(raisedAt, (praxis) =>
    praxis.utilizationTargetPeriods.create({
      memberId: member.id,
      start: raise,
      targetPercentage: Math.min(100, position.target + 2),
    }),
  );
}

/** Two weeks in summer, one at the turn of the year, some long weekends, and now and then a cold. */
function absences({ random, span }: Plan, start: string, end: string): Map<string, string> {
  const away = new Map<string, string>();
  const take = (first: string, days: number, kind: string): void => {
    for (const date of daysFrom(first, addDays(first, days - 1)))
      if (!isWeekend(date) && date >= start && date <= end) away.set(date, kind);
  };
  for (let year = Number(span.first.slice(0, 4)); year <= Number(span.last.slice(0, 4)); year += 1) {
    take(addDays(mondayOf(`${year}-07-01`), 7 * random.between(0, 8)), 12, 'Vacation');
    take(`${year}-12-${random.between(21, 24)}`, 10, 'Vacation');
    take(addDays(mondayOf(`${year}-04-01`), 7 * random.between(0, 7) + 3), 2, 'Vacation');
    for (let colds = random.between(0, 2); colds > 0; colds -= 1)
      take(addDays(`${year}-01-08`, random.between(0, 320)), random.between(1, 3), 'Sick Leave');
  }
  return away;
}

/** Letters of an address: `Étienne O’Hara` → `etienne.ohara`. */
const addressOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f’'.]/g, '')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .toLowerCase()
    .trim()
    .replaceAll(/[^a-z0-9]+/g, '.');
