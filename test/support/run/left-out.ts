// The files that `npm test` leaves out, and why. `npm run test:all` runs them, and so does `.ci/run`. A file may be here only while
// each slip in the service that it notices is noticed by two files of `npm test` too: `npm run mutants` writes which do. (Slips in the
// browser's part are noticed by the browser tests alone, which `npm run test:all` runs.)

/** By room and name. */
export const leftOut: Readonly<Record<string, string>> = {
  'changes/commands': 'starts a process for each command',
  'changes/kills/order': 'kills services under writes',
  'changes/migrations': 'waits for services that began before a migration',
  'webhooks/webhook-kills': 'kills services under deliveries',
  'roles/access-commands': 'starts a process for each command',
  'access/made-up-roles': 'asks for everything as many callers, by roles made up',
  'attacks/crawl': 'asks for every field of every group in every way',
  'commands/cli': 'starts a process for each command',
  'commands/completion': 'types into three shells',
  'commands/demo': 'makes two whole workspaces',
  'commands/demo-roles': 'makes a workspace, and starts a service on it',
  'commands/dev': 'starts services that take in what is saved, and waits for them',
  'commands/doctor': 'starts a process for each finding',
  'commands/own-project': 'packs, installs, and builds an image',
  'commands/package': 'packs and installs',
  'commands/project': 'starts a process for each command',
  'commands/start-time': 'measures starts',
  'commands/terminal': 'types into a terminal',
  'commands/try': 'starts a process for each trial',
  'console/console': 'works in a browser',
  'console/console-find': 'works in a browser',
  'console/console-form': 'works in a browser',
  'console/console-past': 'works in a browser',
  'console/console-pictures': 'waits for a browser',
  'console/console-work': 'works in a browser',
  'data/export-beside': 'exports while others write',
  'data/from-backup': 'starts services on each database, and copies them',
  'data/import-kills': 'kills an importer twenty times',
  'data/recipes': 'makes a workspace of the demo, and starts a process for each command',
  'data/summary-beside': 'makes a million records, and adds them up',
  'databases/backup': 'copies a database while processes write it',
  'databases/time-zone': 'starts a process for each zone',
  'descriptors/kinds': 'compiles the project again and again',
  'documents/client-failures': 'waits for services that do not answer',
  'documents/codegen': 'compiles what is generated',
  'documents/generators': 'generates and compiles clients',
  'documents/openapi-lint': 'checks the document by the rules of others, for a minute',
  'failures/day-kills': 'starts three services, kills them, and waits for days',
  'failures/kills': 'kills services and starts them again',
  'failures/silence': 'waits for a server that says nothing',
  'failures/standing': 'waits until a full disk has room again',
  'failures/write-kill': 'kills a process at every point of writes',
  'domains/hospital': 'has eight write at once',
  'domains/reading-room': 'waits for days',
  'explain/explain': 'starts a process for each explanation',
  'http/http-connections': 'waits for connections to time out',
  'http/overload': 'loads a service for seconds',
  'http/rate-limit': 'waits for limits to pass',
  'http/trace': 'waits in line',
  'load/memory': 'starts a service for each trial, and fills its memory',
  'load/slow-readers': 'waits for slow readers',
  'migration/changes': 'reads the descriptors of commits again and again',
  'migration/migrate-kill': 'kills a process at every point of migrations',
  'migration/migrate-load': 'changes tables under load',
  'migration/migrate-together': 'starts five processes at once',
  'migration/rolling/rolling-deploy': 'starts processes of five versions on each database',
  'migration/upgrade': 'loads whole workspaces, and asks for all of them',
  'pages/courses': 'starts a process for each command of the tutorials',
  'pages/domains': 'opens every page of every domain of the tests',
  'pages/pages': 'looks at every page in a browser',
  'pages/readme': 'starts a process for each command of the README',
  'pages/walkthrough': 'starts a process for each command of the guides',
  'people/console': 'works in a browser',
  'people/member-commands': 'starts a process for each command',
};

/**
 * Files of which `npm test` runs a part: the laws of some groups, on servers some cases and no counts, and the first of what chance makes up. Others of the
 * rooms in `roomsInTurn` take turns on servers.
 */
export const runInPart: readonly string[] = [
  ...['whole/conformance', 'whole/cases-mariadb', 'whole/cases-mysql', 'whole/fuzz'],
  ...['descriptors/descriptors', 'descriptors/mutants', 'http/corpus', 'migration/migrate-properties'],
  'whole/oracle-worlds',
  ...['races/billing-races', 'races/locks', 'reads/filter-reads', 'reads/sort-reads', 'writes/anatomy'],
];

/** Rooms whose tests say of servers what they say of SQLite. In `npm test` a sixth of their files runs on servers too, by the day. */
export const roomsInTurn: readonly string[] = [
  ...[
    'access',
    'attacks',
    'changes',
    'commands',
    'data',
    'domains',
    'explain',
    'figures',
    'load',
    'operations',
    'people',
    'roles',
    'verify',
    'webhooks',
  ],
];

export type Part = 'quick' | 'rest' | 'all';
