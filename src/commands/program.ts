// The commands of `praxis` and their options. Each loads its file when it is called: a check of descriptors need not
// wait for a web server.
import { styleText } from 'node:util';
import { Command } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import { readConfig } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { loadProject, type ProjectConfig } from '../project.ts';
import { addAdministration } from './administration.ts';
import { addCompletions } from './completion/completion.ts';
import type { ExportOptions } from './data/export.ts';
import type { ImportArguments } from './data/import.ts';
import type { SummaryOptions } from './data/summary.ts';
import type { CanOptions } from './database/can.ts';
import type { CheckOptions } from './descriptors/check.ts';
import { defaultTemplate, listTemplates } from './descriptors/templates.ts';
import type { UpgradeOptions } from './descriptors/upgrade.ts';
import type { ExplainOptions } from './explain/explain.ts';
import type { TryOptions } from './explain/try.ts';
import { addLogCommands } from './log-commands.ts';
import { collect, json } from './output/options.ts';
import { tellFailure } from './output/report.ts';
import type { JsonFlag } from './output/terminal.ts';

/** Commands that read the file of a project themselves, or do without. */
const standsAlone = new Set(['init', 'doctor']);
let project: ProjectConfig = {};
const config = () => readConfig(process.env, project);
const migrateCommands = () => import('./database/migrate.ts');

/** Whether the command that runs was asked for that. */
let isJson = false;
/** The status with which it ends where it fails. */
let failure = 1;
/** The command that runs, without its arguments: `praxis migrate apply`. */
let commandName: string | undefined;

const program = new Command('praxis')
  .description('A REST API from a folder of descriptors. Environment variables configure it.')
  .version(packageFile.version)
  .showHelpAfterError('Run "praxis --help" for the list of commands.')
  // Commander takes colours out again where nobody sees them.
  .configureHelp({
    styleTitle: (text) => styleText('bold', text, { validateStream: false }),
    styleSubcommandTerm: (text) => styleText('cyan', text, { validateStream: false }),
    styleOptionTerm: (text) => styleText('cyan', text, { validateStream: false }),
  })
  .hook('preAction', async (_program, command) => {
    isJson = command.opts()['json'] === true;
    commandName = toFullName(command);
    if (!standsAlone.has(command.name())) project = await loadProject();
  });

function toFullName(command: Command): string {
  return command.parent === null ? command.name() : `${toFullName(command.parent)} ${command.name()}`;
}

program
  .command('serve')
  .description('start the service and print its address; the first start also prints an access token')
  .action(async () => (await import('./service/serve.ts')).serve(config()));

program
  .command('dev')
  .description('start the service and reload changed descriptors; on a fault, keep serving the previous ones')
  .action(async () => (await import('./service/serve.ts')).serve(config(), true));

program
  .command('check')
  .description('check the descriptors, without a database; with --against, report the effects of a change')
  .option(
    '--against <ref or file>',
    'a git ref, a snapshot or a folder of descriptors to compare with; status 1 for a breaking change',
  )
  .option('--allow <harm...>', 'breaking changes to allow: data, readers, writers, filters')
  .option('--strict', 'status 1 for findings as well as faults')
  .option('--database', 'also read the records, and report roles that no member has')
  .option('--conditions', 'list all conditions that writes of other groups can break')
  .option(...json)
  .action(async (options: CheckOptions) => (await import('./descriptors/check.ts')).check(config(), options));

program
  .command('access')
  .description('print the permissions of roles by group, without a database')
  .option(...json)
  .action(async (flags: JsonFlag) => (await import('./descriptors/access.ts')).access(config(), flags));

program
  .command('can <who> <operation> <target>')
  .description(
    'report whether a caller may do an operation, and why: <who> is a member, a token or role:<name>; <target> is <group> or <group>/<id>',
  )
  .option('--body <file>', 'run the create or update with this body, and roll it back')
  .option(...json)
  .action(async (...[who, operation, target, options]: readonly [string, string, string, CanOptions]) =>
    (await import('./database/can.ts')).can(config(), { who, operation, target }, options),
  );

program
  .command('try <group> [file]')
  .description(
    'run a write and roll it back: print the values it fills in, its conditions and the reason of a refusal; [file] contains the body, - is standard input',
  )
  .option('--id <id>', 'id of the record to update or delete')
  .option('--delete', 'delete the record instead of updating it')
  .option(...json)
  .action(async (group: string, file: string | undefined, options: TryOptions) =>
    (await import('./explain/try.ts')).tryCommand(config(), { group, file }, options),
  );

program
  .command('snapshot')
  .description('write everything that callers can notice of the descriptors to a file, one line per field')
  .option('--out <file>', 'file to write', 'codegen/generated/snapshot.json')
  .option('--check', 'write nothing; status 1 if the file is not current')
  .option(...json)
  .action(async (options: { out: string; check?: boolean; json?: boolean }) =>
    (await import('./descriptors/snapshot.ts')).snapshot(config(), options),
  );

program
  .command('init [folder]')
  .description(
    'write a project of your own: descriptors, a first migration, configuration, a test; "." is the current folder',
  )
  .option('--template <name>', 'groups of the new project', defaultTemplate)
  .addHelpText('after', () => `\nTemplates:\n${listTemplates()}`)
  .action(async (folder: string | undefined, { template }: { template: string }, command: Command) => {
    if (folder === undefined) command.help({ error: true });
    (await import('./descriptors/init.ts')).init(folder, template);
  });

program
  .command('new <name> [rule]')
  .usage('[options] <name>, or: rule <name>, or: access')
  .description(
    'write a first descriptor, resources/<name>.json; "rule <name>" writes a rule with its test, "access" writes roles',
  )
  .option('--example', 'include computed fields and conditions as examples')
  .option(...json)
  .action(async (name: string, rule: string | undefined, options: { example?: boolean; json?: boolean }) => {
    // The path of the service itself, which no group can have.
    if (name === 'access' && rule === undefined)
      (await import('./descriptors/new-access.ts')).writeRoles(config(), options);
    // A group may be called "rule": one word is always a group.
    else if (rule === undefined) (await import('./descriptors/new.ts')).writeDescriptor(config(), name, options);
    else if (name === 'rule') (await import('./descriptors/new-rule.ts')).writeRule(config(), rule, options);
    else
      throw new ConfigurationFault(
        `"praxis new ${name} ${rule}" has too many arguments; run "praxis new ${name}" or "praxis new rule ${rule}".`,
      );
  });

program
  .command('introspect <url>')
  .description(
    'draft descriptors from the tables of an existing database, without changing it: sqlite:file or mysql://…',
  )
  .option('--out <folder>', 'folder of the drafts; existing files are never overwritten', 'drafts')
  .option('--table <name...>', 'only these tables')
  .option(...json)
  .action(async (url: string, options: { out: string; table?: string[]; json?: boolean }) =>
    (await import('./descriptors/introspect.ts')).introspect(url, options),
  );

program
  .command('upgrade')
  .description('rewrite files that were written for an earlier version')
  .command('descriptors [folder]')
  .description('rewrite old keywords in descriptors and roles; comments and layout stay')
  .option('--check', 'write nothing; status 1 if a file would change')
  .option(...json)
  .action(async (folder: string | undefined, options: UpgradeOptions) => {
    const { resources, rolesFolder: roles } = folder === undefined ? config() : { resources: folder };
    const isCurrent = (await import('./descriptors/upgrade.ts')).upgradeDescriptors({ resources, roles }, options);
    if (options.check === true && !isCurrent) process.exitCode = 1;
  });

program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(async () => (await import('./descriptors/openapi.ts')).printOpenApi(config()));

const migrate = program
  .command('migrate')
  .description('migrate the database to the descriptors, by files that can be reviewed')
  .addHelpText(
    'after',
    `
After a change of descriptors, "migrate generate" writes a migration and "migrate apply" runs it. There are no prompts: a step
that destroys records or locks a large table is refused with status 1 and the flag that allows it.`,
  );
migrate
  .command('generate [name]')
  .description('write the next migration, from the last one to the descriptors')
  .option('--allow-drop', 'write steps that delete stored groups, fields or lists')
  .option(
    '--fill <group.field=formula>',
    'value for existing records in a new or newly required field, as a formula over each record',
    collect,
  )
  .option('--check', 'write nothing; status 1 if a migration is needed')
  .option(...json)
  .action(
    async (
      name: string | undefined,
      options: { allowDrop?: boolean; fill?: string[]; check?: boolean; json?: boolean },
    ) => (await migrateCommands()).generate(config(), name, { ...options, fill: options.fill ?? [] }),
  );
migrate
  .command('apply')
  .description('run pending migrations; after an interruption, continue at the same step')
  .option('--allow-drop', 'run steps that delete stored data')
  .option('--allow-loss', 'allow a fill formula to return null for a stored value, which is lost')
  .option('--allow-rebuild', 'on a server, copy tables with rows; writes to them wait')
  .option(...json)
  .action(async (options: { allowDrop?: boolean; allowLoss?: boolean; allowRebuild?: boolean; json?: boolean }) =>
    (await migrateCommands()).apply(config(), options),
  );
migrate
  .command('status')
  .description('list applied and pending migrations, and changes made by other means')
  .option(...json)
  .option('--check', 'status 1 unless descriptors, migrations and database agree')
  .action(async (options: { json?: boolean; check?: boolean }) => {
    const isCurrent = await (await migrateCommands()).status(config(), options);
    if (options.check === true && !isCurrent) process.exitCode = 1;
  });

program
  .command('verify [group...]')
  .description('compute maintained fields again and compare derived columns; status 1 if a stored value differs')
  .option('--repair', 'repair differences; status 0 if all are repaired')
  .option('--conditions', 'evaluate the conditions of rules on stored records; status 1 if a record breaks one')
  .option('--json', 'print a line of JSON for each difference')
  .action(async (groups: string[], options: { repair?: boolean; conditions?: boolean; json?: boolean }) => {
    const isRight =
      options.conditions === true
        ? await (await import('./database/verify-conditions.ts')).verifyStored(config(), groups, options)
        : await (await import('./database/verify.ts')).verify(config(), groups, options);
    if (!isRight) process.exitCode = 1;
  });

program
  .command('explain <what> [name] [write] [fields...]')
  .description('print a group, a field, a rule, a function or a keyword, and the sources of a value; writes nothing')
  .addHelpText(
    'after',
    `
  praxis explain invoice           a group: its operations, fields and rules
  praxis explain invoice.lines     a field: its values, parts and formulas, and the fields that depend on it
  praxis explain rule [name]       a rule of descriptors, or all rules
  praxis explain function [name]   a function, macro, operator or name of formulas, or all
  praxis explain keyword [name]    a keyword of descriptors: its type, places, meaning and an example; or all keywords
  praxis explain plan invoice create         a create, update or delete: its reads, computed fields, conditions and locks, in order
  praxis explain plan invoice update notes   an update that sends only these fields`,
  )
  .option('--record <id>', 'show the values that the value of this record is computed from, with their records')
  .option('--depth <number>', 'levels of computed fields to show with --record', '1')
  .option(...json)
  .action(
    async (
      what: string,
      ...[name, write, fields, options]: [string | undefined, string | undefined, string[], ExplainOptions]
    ) => (await import('./explain/explain.ts')).explain(config(), { what, name, write, fields }, options),
  );

program
  .command('doctor')
  .description('check everything that a service needs, and print remedies; status 1 if a finding requires action')
  .option(...json)
  .action(async (options: JsonFlag) => {
    if (!(await (await import('./database/doctor.ts')).doctor(options))) process.exitCode = 1;
  });

program
  .command('demo')
  .description('fill an empty workspace with realistic records of a consulting firm')
  .option('--until <date>', 'last day of the history; the same day gives the same records', 'today')
  .option('--months <number>', 'length of the history', '18')
  .option('--scale <number>', 'number of firms, for load tests', '1')
  .option('--roles', 'give members roles and a password; write role files if none exist')
  .option(...json)
  .action(async (options: { until: string; months: string; scale: string; roles?: boolean; json?: boolean }) =>
    (await import('./database/demo.ts')).demo(config(), options),
  );

program
  .command('backup <file>')
  .description('copy the embedded database to a new file while the service runs, and verify the copy')
  .option(...json)
  .action(async (file: string, options: JsonFlag) =>
    (await import('./database/backup.ts')).writeBackup(config(), file, options),
  );

addLogCommands(program, config);

program
  .command('export [group]')
  .description('write the records of a group as NDJSON or CSV, from one snapshot; with --all, the whole workspace')
  .option('--out <file>', 'file to write; default: standard output')
  .option('--format <format>', 'ndjson or csv; default: by the name of the file, otherwise ndjson')
  .option('--fields <names>', 'fields to write, in the order of the columns: name,client.code')
  .option('--filter <name=value>', 'filter of the list; repeat for more', collect)
  .option('--sort <name>', 'order of the records; default: oldest first')
  .option('--safe', "put ' before texts that a spreadsheet would run as formulas")
  .option('--all <folder>', 'write one file per group to this folder')
  .option('--url <url>', 'address of another service; default: the configured database')
  .option('--token <token>', 'access token of that service')
  .option(...json)
  .action(async (group: string | undefined, options: Omit<ExportOptions, 'filter'> & { filter?: string[] }) =>
    (await import('./data/export.ts')).exportRecords(config(), group, { ...options, filter: options.filter ?? [] }),
  );

program
  .command('summary <group>')
  .description('print aggregates of the records of a group as a table, from one snapshot')
  .option('--by <fields>', 'fields to group by: project,date.month')
  .option('--sum <fields>', 'fields to add up')
  .option('--avg <fields>', 'fields to average')
  .option('--min <fields>', 'fields to take the minimum of')
  .option('--max <fields>', 'fields to take the maximum of')
  .option('--no-count', 'omit the number of records')
  .option('--order <name>', 'order of the rows: by, count, sum.minutes; - in front reverses it')
  .option('--limit <number>', 'maximum number of rows')
  .option('--filter <name=value>', 'filter of the list; repeat for more', collect)
  .option('--url <url>', 'address of another service; default: the configured database')
  .option('--token <token>', 'access token of that service')
  .option(...json)
  .action(async (group: string, options: Omit<SummaryOptions, 'filter'> & { filter?: string[] }) =>
    (await import('./data/summary.ts')).summary(config(), group, { ...options, filter: options.filter ?? [] }),
  );

program
  .command('import [file]')
  .description('import the records of a CSV or NDJSON file through the API; status 1 if rows were refused')
  .option('--group <group>', 'group of the records; default: the group of the mapping')
  .option('--format <format>', 'csv or ndjson; default: by the name of the file')
  .option('--map <file>', 'mapping of columns to fields, as JSON; default: by their names')
  .option('--key <fields>', 'upsert by this unique key, or by id; default: create a record for each row')
  .option('--mode <mode>', 'upsert, create or update')
  .option('--try', 'check all rows, and write nothing')
  .option('--stop', 'stop at the first refused row')
  .option('--max-refused <number>', 'stop after this number of refused rows; all: never stop', '100')
  .option('--chunk <number>', 'records per batch', '500')
  .option('--callers <number>', 'concurrent batches', '2')
  .option('--ignore-columns', 'ignore columns that are not fields')
  .option('--journal <file>', 'file for the progress, so that a second run continues; default: <file>.praxis-import')
  .option('--all <folder>', 'restore an export of all groups into an empty workspace; requires --keep-ids')
  .option('--keep-ids', 'keep the ids of the records')
  .option('--from-backup <file>', 'restore deleted records, and the records that were deleted with them, from a backup')
  .option('--id <id>', 'id of a record to restore; repeat for more', collect)
  .option('--url <url>', 'address of another service; default: the configured database')
  .option('--token <token>', 'access token of that service')
  .option(...json)
  .action(async (file: string | undefined, options: ImportArguments) => {
    // Nothing could be begun: 1 is for rows that were refused.
    failure = 2;
    process.exitCode = await (await import('./data/import.ts')).importRecords(config(), file, options);
  });

program
  .command('types')
  .description('write TypeScript types and a client for the descriptors: types.ts and client.ts')
  .option('--out <folder>', 'folder to write', 'codegen/generated')
  .option('--check', 'write nothing; status 1 if the files are not current')
  .option('--import', 'also write the importer: import.ts and its files')
  .option(...json)
  .action(async (options: { out: string; check?: boolean; import?: boolean; json?: boolean }) =>
    (await import('./descriptors/types.ts')).types(config(), options),
  );

addAdministration(program, config);

// A shell that asks what may follow calls `complete -- <words>`; descriptors are read for it alone.
const isCompleting = process.argv[2] === 'complete';
const words = isCompleting
  ? (await import('./completion/words.ts')).wordsOf(config, process.argv.slice(process.argv.indexOf('--') + 1))
  : {};
addCompletions(program, words);

// The reader of a pipe may leave early (`praxis token list | head -1`).
process.stdout.on('error', () => process.exit(1));
try {
  await program.parseAsync();
} catch (error) {
  tellFailure(error, isJson, commandName);
  process.exit(failure);
}
