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
  .description('A workspace API from a folder of descriptors. Configuration is taken from environment variables.')
  .version(packageFile.version)
  .showHelpAfterError('Run "praxis --help" for what there is.')
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
  .description('start the service; prints its address and, at the first start, an access token')
  .action(async () => (await import('./service/serve.ts')).serve(config()));

program
  .command('dev')
  .description('start the service and take in descriptors as they change; faults are told, and it goes on as before')
  .action(async () => (await import('./service/serve.ts')).serve(config(), true));

program
  .command('check')
  .description('check the descriptors, without a database; with --against, tell what their change does to whom')
  .option(
    '--against <ref or file>',
    'a git ref, a snapshot or a folder of descriptors; status 1 for what hurts somebody',
  )
  .option('--allow <harm...>', 'let pass what hurts: data, readers, writers, filters')
  .option('--strict', 'status 1 for findings, too')
  .option('--database', 'look at the records, too: which roles nobody holds')
  .option('--conditions', 'list all conditions that writes of other groups can break')
  .option(...json)
  .action(async (options: CheckOptions) => (await import('./descriptors/check.ts')).check(config(), options));

program
  .command('access')
  .description('print who may do what: a table of roles and groups, without a database')
  .option(...json)
  .action(async (flags: JsonFlag) => (await import('./descriptors/access.ts')).access(config(), flags));

program
  .command('can <who> <operation> <target>')
  .description(
    'tell whether somebody may do something, and why: a member, a token or role:<name>; an operation; <group> or <group>/<id>',
  )
  .option('--body <file>', 'try the create or the update with this body, and take it back')
  .option(...json)
  .action(async (...[who, operation, target, options]: readonly [string, string, string, CanOptions]) =>
    (await import('./database/can.ts')).can(config(), { who, operation, target }, options),
  );

program
  .command('try <group> [file]')
  .description(
    'try a write and take it back: what it fills in, what it judges, and why it is refused; a file with the body, - for standard input',
  )
  .option('--id <id>', 'the record of an update or a delete')
  .option('--delete', 'try to delete the record')
  .option(...json)
  .action(async (group: string, file: string | undefined, options: TryOptions) =>
    (await import('./explain/try.ts')).tryCommand(config(), { group, file }, options),
  );

program
  .command('snapshot')
  .description('write what callers can notice of the descriptors into a file, one line a field')
  .option('--out <file>', 'where to', 'codegen/generated/snapshot.json')
  .option('--check', 'write nothing; status 1 when the file is not current')
  .option(...json)
  .action(async (options: { out: string; check?: boolean; json?: boolean }) =>
    (await import('./descriptors/snapshot.ts')).snapshot(config(), options),
  );

program
  .command('init [folder]')
  .description(
    'write a project of your own: descriptors, a first migration, configuration, a test; "." for this folder',
  )
  .option('--template <name>', 'the groups with which it begins', defaultTemplate)
  .addHelpText('after', () => `\nTemplates:\n${listTemplates()}`)
  .action(async (folder: string | undefined, { template }: { template: string }, command: Command) => {
    if (folder === undefined) command.help({ error: true });
    (await import('./descriptors/init.ts')).init(folder, template);
  });

program
  .command('new <name> [rule]')
  .usage('[options] <name>, or: rule <name>, or: access')
  .description(
    'write a first descriptor: resources/<name>.json; or with "rule <name>" a rule of your own, and its test; or with "access" roles to begin with',
  )
  .option('--example', 'with figures and conditions, to be changed into your own')
  .option(...json)
  .action(async (name: string, rule: string | undefined, options: { example?: boolean; json?: boolean }) => {
    // The path of the service itself, which no group can have.
    if (name === 'access' && rule === undefined)
      (await import('./descriptors/new-access.ts')).writeRoles(config(), options);
    // A group may be called "rule": one word is always a group.
    else if (rule === undefined) (await import('./descriptors/new.ts')).writeDescriptor(config(), name, options);
    else if (name === 'rule') (await import('./descriptors/new-rule.ts')).writeRule(config(), rule, options);
    else throw new ConfigurationFault(`Write: praxis new ${name}, or: praxis new rule ${rule}.`);
  });

program
  .command('introspect <url>')
  .description('draft descriptors from the tables of a database of yours, which is only read: sqlite:file or mysql://…')
  .option('--out <folder>', 'where to; files that are there are never overwritten', 'drafts')
  .option('--table <name...>', 'only these tables')
  .option(...json)
  .action(async (url: string, options: { out: string; table?: string[]; json?: boolean }) =>
    (await import('./descriptors/introspect.ts')).introspect(url, options),
  );

program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(async () => (await import('./descriptors/openapi.ts')).printOpenApi(config()));

const migrate = program
  .command('migrate')
  .description('bring the database to what the descriptors ask, by files that can be reviewed')
  .addHelpText(
    'after',
    `
After a change of descriptors: "migrate generate" writes what is to be done, "migrate apply" does it. Nothing is asked: what
destroys records, or locks a large table, is refused with status 1 and the flag that allows it.`,
  );
migrate
  .command('generate [name]')
  .description('write the next migration, from where the last one leads to what the descriptors ask')
  .option('--allow-drop', 'write steps that destroy what groups, fields or lists keep')
  .option(
    '--fill <group.field=formula>',
    'what records that exist get in a field that is new, or required from now on: a formula over each',
    collect,
  )
  .option('--check', 'write nothing; status 1 if there is something to write')
  .option(...json)
  .action(
    async (
      name: string | undefined,
      options: { allowDrop?: boolean; fill?: string[]; check?: boolean; json?: boolean },
    ) => (await migrateCommands()).generate(config(), name, { ...options, fill: options.fill ?? [] }),
  );
migrate
  .command('apply')
  .description('run the migrations that the database has not seen; begins again where it was interrupted')
  .option('--allow-drop', 'run steps that destroy what is kept')
  .option('--allow-loss', 'let the formula of a fill give nothing for a value that is lost then')
  .option('--allow-rebuild', 'on a server, copy tables that have rows; they cannot be written to meanwhile')
  .option(...json)
  .action(async (options: { allowDrop?: boolean; allowLoss?: boolean; allowRebuild?: boolean; json?: boolean }) =>
    (await migrateCommands()).apply(config(), options),
  );
migrate
  .command('status')
  .description('tell what is applied, what is pending, and what was changed by other means')
  .option(...json)
  .option('--check', 'status 1 unless descriptors, migrations and database agree')
  .action(async (options: { json?: boolean; check?: boolean }) => {
    const isCurrent = await (await migrateCommands()).status(config(), options);
    if (options.check === true && !isCurrent) process.exitCode = 1;
  });

program
  .command('verify [group...]')
  .description('compute maintained fields again, and compare derived columns; status 1 if a stored value differs')
  .option('--repair', 'repair differences; status 0 if none is left')
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
  praxis explain invoice           a group: what can be done, its fields, its rules
  praxis explain invoice.lines     a field: what it holds, when, and what is inside; its formulas, and who looks at it
  praxis explain rule [name]       a rule of descriptors, or all of them
  praxis explain function [name]   a function, macro, operator or name of formulas, or all of them
  praxis explain keyword [name]    a keyword of descriptors: its type, places, meaning and an example; or all of them
  praxis explain plan invoice create   what a create, update or delete of a group reads, computes, judges and locks, in its order
  praxis explain plan invoice update notes   the same of an update that sends these fields alone`,
  )
  .option('--record <id>', 'the numbers behind the number of this record, down to the records they come from')
  .option('--depth <number>', 'so many levels of figures are taken apart, with --record', '1')
  .option(...json)
  .action(
    async (
      what: string,
      ...[name, write, fields, options]: [string | undefined, string | undefined, string[], ExplainOptions]
    ) => (await import('./explain/explain.ts')).explain(config(), { what, name, write, fields }, options),
  );

program
  .command('doctor')
  .description(
    'look at all that a service needs, and say what to do about what is wrong; status 1 if something must be done',
  )
  .option(...json)
  .action(async (options: JsonFlag) => {
    if (!(await (await import('./database/doctor.ts')).doctor(options))) process.exitCode = 1;
  });

program
  .command('demo')
  .description('fill an empty workspace with the believable records of a consulting firm')
  .option('--until <date>', 'last day of the history; the same day gives the same records', 'today')
  .option('--months <number>', 'length of the history', '18')
  .option('--scale <number>', 'so many such firms side by side, for tests under load', '1')
  .option('--roles', 'its members hold roles, which are written where there are none, and sign in by a password')
  .option(...json)
  .action(async (options: { until: string; months: string; scale: string; roles?: boolean; json?: boolean }) =>
    (await import('./database/demo.ts')).demo(config(), options),
  );

program
  .command('backup <file>')
  .description('copy the embedded database into a new file while it serves; what is written is checked')
  .option(...json)
  .action(async (file: string, options: JsonFlag) =>
    (await import('./database/backup.ts')).writeBackup(config(), file, options),
  );

addLogCommands(program, config);

program
  .command('export [group]')
  .description('write the records of a group, of one moment, as NDJSON or CSV; with --all, a whole workspace')
  .option('--out <file>', 'where to; standard output without it')
  .option('--format <format>', "ndjson or csv; by the file's name, else ndjson")
  .option('--fields <names>', 'what of each record, and the columns in their order: name,client.code')
  .option('--filter <name=value>', 'a filter of the list', collect)
  .option('--sort <name>', 'the order; oldest first without it')
  .option('--safe', "put ' before texts that a spreadsheet would run")
  .option('--all <folder>', 'a file for each group')
  .option('--url <url>', 'of another service; the database of the configuration without it')
  .option('--token <token>', 'an access token of that service')
  .option(...json)
  .action(async (group: string | undefined, options: Omit<ExportOptions, 'filter'> & { filter?: string[] }) =>
    (await import('./data/export.ts')).exportRecords(config(), group, { ...options, filter: options.filter ?? [] }),
  );

program
  .command('summary <group>')
  .description('print what the records of a group come to, of one moment, as a table')
  .option('--by <fields>', 'what tells groups apart: project,date.month')
  .option('--sum <fields>', 'numbers that are added up')
  .option('--avg <fields>', 'means of numbers')
  .option('--min <fields>', 'least numbers, days and moments')
  .option('--max <fields>', 'greatest ones')
  .option('--no-count', 'leave out how many there are')
  .option('--order <name>', 'by, count, sum.minutes; - in front turns it round')
  .option('--limit <number>', 'the most groups')
  .option('--filter <name=value>', 'a filter of the list', collect)
  .option('--url <url>', 'of another service; the database of the configuration without it')
  .option('--token <token>', 'an access token of that service')
  .option(...json)
  .action(async (group: string, options: Omit<SummaryOptions, 'filter'> & { filter?: string[] }) =>
    (await import('./data/summary.ts')).summary(config(), group, { ...options, filter: options.filter ?? [] }),
  );

program
  .command('import [file]')
  .description('bring the records of a file (CSV, NDJSON) in as a client does; status 1 where rows were refused')
  .option('--group <group>', 'of the records, unless the mapping says it')
  .option('--format <format>', "csv or ndjson; by the file's name without it")
  .option('--map <file>', 'how columns become fields, as JSON; by their names without it')
  .option('--key <fields>', 'make or change by this unique key (an upsert), or by id; without it every row is made')
  .option('--mode <mode>', 'upsert, create or update')
  .option('--try', 'judge all rows, and write nothing')
  .option('--stop', 'end at the first row that is refused')
  .option('--max-refused <number>', 'end beyond so many; all: never', '100')
  .option('--chunk <number>', 'records of a batch', '500')
  .option('--callers <number>', 'batches at a time', '2')
  .option('--ignore-columns', 'pass over columns that are no fields')
  .option('--journal <file>', 'where it stands, so that a second start goes on; <file>.praxis-import without it')
  .option('--all <folder>', 'put an empty workspace back as an export of all has it, with --keep-ids')
  .option('--keep-ids', 'new records have the ids that they had')
  .option('--from-backup <file>', 'bring records that are gone back out of a backup, with what went along with them')
  .option('--id <id>', 'of such a record of the group; again for another', collect)
  .option('--url <url>', 'another service; the database of the configuration without it')
  .option('--token <token>', 'an access token of that service')
  .option(...json)
  .action(async (file: string | undefined, options: ImportArguments) => {
    // Nothing could be begun: 1 is for rows that were refused.
    failure = 2;
    process.exitCode = await (await import('./data/import.ts')).importRecords(config(), file, options);
  });

program
  .command('types')
  .description('write TypeScript types and a client of the descriptors: types.ts and client.ts')
  .option('--out <folder>', 'where to', 'codegen/generated')
  .option('--check', 'write nothing; exit status 1 when the files are not current')
  .option('--import', 'the importer, too: import.ts, and what it needs')
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
