// Kinds of work: phases with tasks, notes, and who does them.
import type { Discipline } from './people.ts';

export type Kind = 'strategy' | 'software' | 'data' | 'design' | 'compliance' | 'retainer';

export interface TaskRow {
  readonly name: string;
  /** Of 100 hours. */
  readonly share: number;
  readonly notes: readonly string[];
}

interface KindRow {
  readonly type: string;
  readonly tag: string;
  readonly practice: string;
  readonly lead: Discipline;
  readonly team: readonly Discipline[];
  readonly phases: readonly (readonly [name: string, tasks: readonly TaskRow[]])[];
}

const task = (name: string, share: number, ...notes: readonly string[]): TaskRow => ({ name, share, notes });

export const kinds: Readonly<Record<Kind, KindRow>> = {
  strategy: {
    type: 'Advisory',
    tag: 'advisory',
    practice: 'Strategy & Transformation',
    lead: 'Strategy',
    team: ['Strategy', 'Delivery'],
    phases: [
      [
        'Discovery',
        [
          task(
            'Stakeholder interviews',
            20,
            'Interviewed three department heads',
            'Wrote up the interviews',
            'Prepared the interview guide',
          ),
          task(
            'Market analysis',
            25,
            'Compared five competitors',
            'Sized the market',
            'Checked the figures against the annual report',
          ),
        ],
      ],
      [
        'Recommendation',
        [
          task(
            'Options workshop',
            20,
            'Ran the workshop on options',
            'Prepared the workshop material',
            'Summed up the workshop',
          ),
          task(
            'Business case',
            20,
            'Built the cost model',
            'Reviewed assumptions with finance',
            'Sensitivity analysis',
          ),
          task(
            'Board paper',
            15,
            'Drafted the board paper',
            'Worked in comments on the paper',
            'Rehearsed the presentation',
          ),
        ],
      ],
    ],
  },
  software: {
    type: 'Product development',
    tag: 'build',
    practice: 'Digital Products',
    lead: 'Engineering',
    team: ['Engineering', 'Engineering', 'Design', 'Delivery'],
    phases: [
      [
        'Design',
        [
          task(
            'Requirements',
            15,
            'Refined user stories with the client',
            'Wrote acceptance criteria',
            'Backlog review',
          ),
          task(
            'Architecture',
            10,
            'Decided on the data model',
            'Reviewed interfaces with client IT',
            'Sketched the deployment',
          ),
        ],
      ],
      [
        'Build',
        [
          task(
            'Implementation',
            45,
            'Search and filters',
            'Import of master data',
            'Sign-in with the client’s directory',
            'Notifications',
            'Code review',
          ),
          task('Testing', 18, 'Wrote end-to-end tests', 'Fixed findings of the acceptance test', 'Load test'),
          task('Rollout', 12, 'Prepared the release', 'Trained key users', 'Watched the first week of operation'),
        ],
      ],
    ],
  },
  data: {
    type: 'Analytics',
    tag: 'data',
    practice: 'Data & AI',
    lead: 'Data',
    team: ['Data', 'Data', 'Engineering'],
    phases: [
      [
        'Foundation',
        [
          task(
            'Data inventory',
            15,
            'Listed the source systems',
            'Checked completeness of two years of data',
            'Agreed definitions with controlling',
          ),
          task('Pipelines', 30, 'Loaded sensor data', 'Rebuilt the nightly job', 'Added data quality checks'),
        ],
      ],
      [
        'Insight',
        [
          task(
            'Modelling',
            30,
            'Trained the first model',
            'Compared features',
            'Explained errors of the forecast',
            'Back-tested on last season',
          ),
          task('Dashboards', 17, 'Built the management view', 'Reviewed charts with users', 'Tuned slow queries'),
          task('Handover', 8, 'Wrote the operations manual', 'Trained the client’s analysts'),
        ],
      ],
    ],
  },
  design: {
    type: 'Product development',
    tag: 'design',
    practice: 'Digital Products',
    lead: 'Design',
    team: ['Design', 'Design', 'Engineering', 'Delivery'],
    phases: [
      [
        'Research',
        [
          task('User research', 25, 'Six user interviews', 'Diary study', 'Clustered the findings'),
          task('Concept', 20, 'Journey map', 'Wireframes of the main flow', 'Concept review with the client'),
        ],
      ],
      [
        'Design',
        [
          task('Visual design', 25, 'Component library', 'Screens for mobile', 'Contrast and type scale'),
          task('Prototype', 20, 'Clickable prototype', 'Adjusted the prototype after tests', 'Front-end components'),
          task('Usability tests', 10, 'Moderated five tests', 'Report of the tests'),
        ],
      ],
    ],
  },
  compliance: {
    type: 'Advisory',
    tag: 'compliance',
    practice: 'Strategy & Transformation',
    lead: 'Strategy',
    team: ['Strategy', 'Delivery', 'Data'],
    phases: [
      [
        'Assessment',
        [
          task(
            'Gap analysis',
            35,
            'Compared controls with the standard',
            'Interviewed process owners',
            'Rated the gaps',
          ),
          task('Risk register', 20, 'Reviewed risks with the client', 'Updated the register'),
        ],
      ],
      [
        'Remediation',
        [
          task(
            'Policies',
            25,
            'Drafted the policy on access',
            'Reviewed retention periods',
            'Worked in legal comments',
          ),
          task('Audit preparation', 20, 'Collected evidence', 'Mock audit', 'Answered questions of the auditor'),
        ],
      ],
    ],
  },
  retainer: {
    type: 'Managed service',
    tag: 'retainer',
    practice: 'Digital Products',
    lead: 'Engineering',
    team: ['Engineering', 'Delivery'],
    phases: [
      [
        'Service',
        [
          task('Support', 45, 'Answered tickets', 'Mended an import that had stopped', 'Call with the service desk'),
          task('Small changes', 40, 'New field in the export', 'Updated libraries', 'Changed the text of e-mails'),
          task('Monthly report', 15, 'Wrote the report of the month', 'Service review with the client'),
        ],
      ],
    ],
  },
};

export const internalNotes = [
  'Team meeting',
  'Recruiting interview',
  'Training',
  'Internal tooling',
  'Sales support',
  'Knowledge sharing session',
];

/** Service lines that templates are made of; kept apart from the projects, which list their own tasks. */
export const taskTemplates: readonly (readonly [name: string, hours: number, notes: string])[] = [
  ['Kick-off workshop', 8, 'Half a day with the client: aims, people, dates, how we work together.'],
  ['Status report', 2, 'One page: what was done, what is next, risks, budget.'],
  ['Code review', 4, 'Second pair of eyes on everything before it is merged.'],
  ['Acceptance test', 16, 'Test plan, test data, two rounds with the client.'],
  ['Retrospective', 3, 'What to keep, what to change; three actions with an owner.'],
];
