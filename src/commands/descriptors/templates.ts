// Template folders, kept as readable files, that `init` and `new rule` copy.
import { fileURLToPath } from 'node:url';
import { ConfigurationFault } from '../../configuration-fault.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Whether this is a checkout, which Node runs as it is, or the package that is built of it. */
export const isCheckout = import.meta.filename.endsWith('.ts');

/** The folder of this checkout or package. */
export const ownRoot = here(isCheckout ? '../../..' : '../../../..');

/** The folder of the files that a command writes. */
export const templateFolder = (command: string): string =>
  here(isCheckout ? `../../../.package/${command}` : `../../../${command}`);

/** Templates of `praxis init`, by the groups with which a project begins. */
const projectTemplates = {
  courses: 'courses and enrolments: a computed field, and a condition over another group',
  tasks: 'projects and tasks: a state machine, and a progress that is computed',
  shop: 'products and orders: line items, a total and a stock',
  bookings: 'rooms and bookings that may not overlap',
  empty: 'no group',
};

export type ProjectTemplate = keyof typeof projectTemplates;

/** The template of a project if none is named. */
export const defaultTemplate: ProjectTemplate = 'courses';

/** Names and descriptions of the project templates. */
export const templateEntries = Object.entries(projectTemplates) as readonly (readonly [ProjectTemplate, string])[];

/** Lists the project templates, one a line, for the help of `praxis init`. */
export const listTemplates = (): string =>
  templateEntries.map(([name, description]) => `  ${name.padEnd(10)}${description}`).join('\n');

/** @throws ConfigurationFault with all names if there is no such template */
export function getTemplate(name: string): ProjectTemplate {
  const names = templateEntries.map(([each]) => each);
  const template = names.find((each) => each === name);
  if (template !== undefined) return template;
  throw new ConfigurationFault(`There is no template "${name}"; the templates are ${names.join(', ')}.`);
}

/** Where `praxis new rule` writes, in a project. */
export const rulesFolder = 'rules';
