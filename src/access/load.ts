// Loads the roles of a folder: every name in them resolved, every condition compiled, the faults of all files told at once.
import { DescriptorFaults, type Fault } from '../registry/model/faults.ts';
import type { Registry } from '../registry/model/model.ts';
import { didYouMean } from '../text/nearest.ts';
import { checkExamples } from './example-names.ts';
import { includedBy } from './includes.ts';
import type { Example, Place, Report, Role, Roles, Rule } from './model.ts';
import { type RawExample, type RoleFile, readRoleFiles } from './read.ts';
import { RuleCompiler, type Unsaid } from './rules.ts';
import { mostTruths, tooManyTruths, truthsOf } from './truths.ts';

/**
 * Compiles the roles of a folder.
 * @param unsaid Finds what a database cannot judge of a condition.
 * @returns undefined where there is no such folder: then everything is as without roles.
 * @throws DescriptorFaults with every fault of every file; ConfigurationFault for an empty folder
 */
export function compileRoles(folder: string, registry: Registry, unsaid: Unsaid): Roles | undefined {
  const read = readRoleFiles(folder);
  if (read === undefined) return undefined;
  const { files } = read;
  const faults: Fault[] = [...read.faults];
  const compiler = new RuleCompiler(registry, unsaid);
  const byName = new Map(files.map((file) => [file.name, file]));
  const own = new Map<string, readonly Rule[]>();
  const heldBy = new Map<string, Role['heldBy']>();
  for (const each of files) {
    const report: Report = (path, text, rule) => faults.push(each.fault(path, text, { rule }));
    own.set(each.name, compiler.rulesOf(each, report));
    heldBy.set(each.name, compiler.heldBy(each, report));
    for (const [index, name] of (each.raw.includes ?? []).entries())
      if (!byName.has(name))
        report(['includes', index], `"${name}" is not a role${didYouMean(name, byName.keys())}`, 'unknown-role');
    checkExamples(each, registry, report);
  }
  const { roles: included, circles } = includedBy(new Map(files.map(({ name, raw }) => [name, raw.includes ?? []])));
  for (const circle of circles) {
    const [first = ''] = circle;
    const words = [...circle, first].join(' → ');
    const file = byName.get(first);
    if (file !== undefined) faults.push(file.fault(['includes'], `includes itself: ${words}`, { rule: 'circle' }));
  }
  const rulesOf = ({ name }: RoleFile): readonly Rule[] =>
    [name, ...(included.get(name) ?? [])].flatMap((each) => own.get(each) ?? []);
  for (const file of files)
    for (const resource of registry.resources.values()) {
      const count = truthsOf(rulesOf(file), resource);
      if (count > mostTruths)
        faults.push(file.fault(['allow'], tooManyTruths(count, resource.name), { rule: 'truths' }));
    }
  if (faults.length > 0) throw new DescriptorFaults(faults);
  const roles = files.map((file): [string, Role] => {
    const all = [file.name, ...(included.get(file.name) ?? [])];
    return [
      file.name,
      Object.freeze({
        name: file.name,
        title: file.raw.title,
        description: file.raw.description,
        file: file.file,
        heldBy: heldBy.get(file.name),
        includes: file.raw.includes ?? [],
        rules: rulesOf(file),
        may: new Set(all.flatMap((name) => byName.get(name)?.raw.may ?? [])),
        examples: (file.raw.examples ?? []).map((example, index) => exampleOf(example, placeIn(file, index))),
      }),
    ];
  });
  return Object.freeze({ byName: new Map(roles) });
}

const placeIn = ({ fault }: RoleFile, index: number): Place => {
  const { file, line, column, pointer } = fault(['examples', index], '');
  return { file, line, column, pointer };
};

const exampleOf = (raw: RawExample, place: Place): Example => ({
  as: raw.as,
  to: raw.to,
  on: raw.on,
  record: raw.record ?? {},
  body: raw.body,
  records: raw.records ?? {},
  isAllowed: raw.is === 'allowed',
  by: raw.by,
  place,
});
