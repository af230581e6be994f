import { type Case, done, example, refused, type World } from './case.ts';
import { at, changing, creating, project } from './projects.ts';

/** The two budgets of a project work alike, but for what the modes are called. */
const budgets = {
  budget: { title: 'budget', use: 'useBudget', mode: 'budgetMode', modes: ['detailed', 'aggregated'] },
  monthlyBudget: { title: 'monthly budget', use: 'useMonthlyBudget', mode: 'monthlyBudgetMode', modes: ['detailed'] },
} as const;
/** `billableHours` as one says it. */
const wordsOf = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const empty = {
  ...{ revenue: 0, servicesRevenue: 0, productsRevenue: 0, otherRevenue: 0 },
  ...{ billableExpenses: 0, nonBillableExpenses: 0, billableHours: 0, nonBillableHours: 0 },
};
const typed = {
  ...{ servicesRevenue: 1000.5, productsRevenue: 0.25, otherRevenue: 200.1234 },
  ...{ billableExpenses: 10.5, nonBillableExpenses: 20, billableHours: 100.25, nonBillableHours: 7 },
};

function casesOf(key: keyof typeof budgets): Case[] {
  const { title, use, mode, modes } = budgets[key];
  const other = key === 'budget' ? 'monthlyBudget' : 'budget';
  const inMode = (name: string, values?: object) => ({
    ...{ [use]: true, [mode]: name },
    ...(values === undefined ? {} : { [key]: values }),
  });
  const summary = (values?: object) => inMode('summary', values);
  const detailed = modes.flatMap((name) => [
    ...Object.entries({ ...typed, billableHours: 0.01 }).map(([part, value]) =>
      creating(
        `Nobody types in the ${wordsOf(part)} of a ${name} ${title}`,
        inMode(name, { [part]: value }),
        refused(`'${key}.${part}' is not allowed`),
      ),
    ),
    creating(
      `A ${name} ${title} starts from nothing, which may be said`,
      inMode(name, { servicesRevenue: 0, otherRevenue: null }),
      done({ [key]: empty }),
    ),
    changing(
      `What is typed in of a ${title} goes when it becomes ${name}`,
      summary(typed),
      { [mode]: name },
      done({ [mode]: name, [key]: empty }),
    ),
    changing(
      `A ${name} ${title} takes no typed figures later`,
      inMode(name),
      { [key]: { productsRevenue: 5, nonBillableHours: 1 } },
      refused(`'${key}.productsRevenue' is not allowed`, `'${key}.nonBillableHours' is not allowed`),
    ),
    changing(
      `A ${name} ${title} stays as it is when something else changes`,
      inMode(name),
      { name: 'Renamed' },
      done({ name: 'Renamed', [key]: empty }),
    ),
    changing(
      `A ${name} ${title} can become one that is typed in`,
      inMode(name),
      summary({ servicesRevenue: 12 }),
      done({ [key]: { ...empty, servicesRevenue: 12, revenue: 12 } }),
    ),
    changing(
      `Figures are not typed in with the change to a ${name} ${title}`,
      summary(typed),
      inMode(name, { servicesRevenue: 12 }),
      refused(`'${key}.servicesRevenue' is not allowed`),
    ),
  ]);
  return [
    // 1000.5 + 0.25 + 200.1234 = 1200.8734; expenses and hours are no revenue.
    creating(
      `The revenue of a ${title} is that of services, products and other together`,
      summary(typed),
      done({ [key]: { ...typed, revenue: 1200.8734 }, [other]: null }),
    ),
    creating(`A ${title} that nothing is said of is empty`, summary(), done({ [key]: empty })),
    creating(`A ${title} that is said to be none is empty`, { ...summary(), [key]: null }, done({ [key]: empty })),
    creating(
      `What is not said of a ${title} counts as nothing`,
      summary({ productsRevenue: 33.3 }),
      done({ [key]: { ...empty, productsRevenue: 33.3, revenue: 33.3 } }),
    ),
    creating(
      `Revenue that is unset counts as nothing (${title})`,
      summary({ servicesRevenue: null, otherRevenue: 4 }),
      done({ [key]: { ...empty, otherRevenue: 4, revenue: 4 } }),
    ),
    // 0.1 + 0.2 + 0.0001 is 0.3001: exact, and not rounded to whole yen.
    creating(
      `The revenue of a ${title} is exact in every currency`,
      { currency: 'JPY', ...summary({ servicesRevenue: 0.1, productsRevenue: 0.2, otherRevenue: 0.0001 }) },
      done({ currency: 'JPY', [key]: { revenue: 0.3001 } }),
    ),
    creating(
      `The revenue of a ${title} is not typed in`,
      summary({ revenue: 100 }),
      refused(`'${key}.revenue' is not allowed`),
    ),
    creating(
      `A revenue that is too large to be kept is refused (${title})`,
      summary({ servicesRevenue: 99_999_999_999_999, otherRevenue: 1 }),
      refused(`'${key}.revenue' must be a number with at most 15 digits`),
    ),
    changing(
      `A change of one part of a ${title} keeps the others`,
      summary(typed),
      { [key]: { productsRevenue: 50 } },
      // 1000.5 + 50 + 200.1234
      done({ [key]: { ...typed, productsRevenue: 50, revenue: 1250.6234 } }),
    ),
    changing(
      `Hours and expenses of a ${title} change no revenue`,
      summary(typed),
      { [key]: { billableExpenses: 1, billableHours: 2 } },
      done({ [key]: { ...typed, billableExpenses: 1, billableHours: 2, revenue: 1200.8734 } }),
    ),
    changing(
      `A project that gives up its ${title} loses the figures`,
      summary(typed),
      { [use]: false },
      done({ [use]: false, [mode]: null, [key]: null }),
    ),
    creating(
      `A project without a ${title} takes no figures of one`,
      { [key]: { servicesRevenue: 1 } },
      refused(`'${key}' is not allowed`),
    ),
    ...detailed,
  ];
}

export const budgetsOfProjects: readonly Case[] = [
  ...[...casesOf('budget'), ...casesOf('monthlyBudget')],
  example({
    says: 'The two budgets of a project are kept apart',
    given: (world: World) =>
      project(world, {
        ...{ useBudget: true, budgetMode: 'summary', budget: { servicesRevenue: 100 } },
        ...{ useMonthlyBudget: true, monthlyBudgetMode: 'detailed' },
      }),
    when: (one) => ['PATCH', at(one), { budget: { otherRevenue: 5 } }],
    gives: done({
      budget: { ...empty, servicesRevenue: 100, otherRevenue: 5, revenue: 105 },
      monthlyBudget: empty,
    }),
  }),
];
