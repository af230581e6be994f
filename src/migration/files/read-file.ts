// Parses a migration file. Strict: anything unknown is a fault with its line, because an edited file that is only half
// understood would do half of what it says.

import {
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { isObject } from '../../values/json.ts';
import { textToType } from '../plan/column-type.ts';
import type { Step } from '../plan/steps.ts';

/** The faults of a migration file. The message has one line per fault: `file:line:column: text`. */
export class MigrationFaults extends ConfigurationFault {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'MigrationFaults';
  }
}

/** A file's steps, and where each stands. */
export interface ReadSteps {
  readonly steps: readonly Step[];
  /** Whether columns have the conditions of their states: from format 2 on. */
  readonly hasStates: boolean;
  /** `migrations/0002_phone.jsonc:7:5`, the place of a step. */
  placeOf(step: number): string;
}

type Check = (value: unknown, path: JSONPath, report: (path: JSONPath, text: string) => void) => void;

const name: Check = (value, path, report) => {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9_]{0,63}$/.test(value))
    report(path, 'must be the name of a table, column or index');
};
const group: Check = (value, path, report) => {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9-]{0,63}$/.test(value)) report(path, 'must be the name of a group');
};
const text: Check = (value, path, report) => {
  if (typeof value !== 'string' || value.includes('\0')) report(path, 'must be a text');
};
const formula: Check = (value, path, report) => {
  if (value !== null) text(value, path, report);
};
const number: Check = (value, path, report) => {
  if (typeof value !== 'number') report(path, 'must be a number');
};
const type: Check = (value, path, report) => {
  if (typeof value !== 'string' || textToType(value) === undefined)
    report(path, 'must be a type, like "text(255)" or "decimal(12,4)"');
};
const yes: Check = (value, path, report) => {
  if (value !== true) report(path, 'must be true, or absent');
};
const fill: Check = (value, path, report) => {
  if (
    typeof value === 'number' ? !Number.isSafeInteger(value) : typeof value !== 'string' && typeof value !== 'boolean'
  )
    report(path, 'must be a text, a whole number or a boolean (decimals are texts)');
};
const listOf =
  (check: Check): Check =>
  (value, path, report) => {
    if (!Array.isArray(value)) report(path, 'must be a list');
    else for (const [index, item] of value.entries()) check(item, [...path, index], report);
  };
const mapOf =
  (check: Check): Check =>
  (value, path, report) => {
    if (!isObject(value)) report(path, 'must be an object');
    else for (const [key, item] of Object.entries(value)) check(item, [...path, key], report);
  };
/** An object with these members; a name that ends in "?" may be missing. */
const shape =
  (members: Readonly<Record<string, Check>>): Check =>
  (value, path, report) => {
    if (!isObject(value)) return report(path, 'must be an object');
    for (const [word, check] of Object.entries(members)) {
      const key = word.replace('?', '');
      if (Object.hasOwn(value, key)) check(value[key], [...path, key], report);
      else if (key === word) report(path, `has no "${key}"`);
    }
    for (const key of Object.keys(value))
      if (!Object.hasOwn(members, key) && !Object.hasOwn(members, `${key}?`))
        report([...path, key], `"${key}" is not allowed here`);
  };

const domain = {
  type,
  'values?': listOf(text),
  'minimum?': number,
  'maximum?': number,
  'exclusiveMinimum?': number,
  'filled?': yes,
  'format?': text,
  'pattern?': text,
};
const limits = { 'minItems?': number, 'maxItems?': number };
const column = shape({
  name,
  ...domain,
  'nullable?': yes,
  'references?': name,
  'madeFrom?': name,
  'items?': shape(domain),
  'formula?': text,
  'unfilled?': yes,
  'becomes?': text,
  ...limits,
});
const index = shape({ name, columns: listOf(name), 'unique?': yes });
const table = shape({
  name,
  columns: listOf(column),
  primaryKey: listOf(name),
  indexes: listOf(index),
  'limits?': shape(limits),
  'formula?': text,
});
const isDo: Check = () => {};

const shapes: Readonly<Record<Step['do'], Check>> = {
  createTable: shape({ do: isDo, table, 'was?': name, 'fill?': mapOf(fill), 'maintained?': yes }),
  dropTable: shape({ do: isDo, table: name, 'group?': group }),
  renameTable: shape({ do: isDo, table: name, to: name, 'group?': shape({ from: group, to: group }) }),
  addColumn: shape({ do: isDo, table: name, column, 'fill?': fill, 'was?': name, 'filledByWrites?': yes }),
  dropColumn: shape({ do: isDo, table: name, column: name }),
  renameColumn: shape({ do: isDo, table: name, column: name, to: name }),
  changeColumn: shape({ do: isDo, table: name, column, 'fill?': fill }),
  renameValues: shape({ do: isDo, table: name, column: name, values: mapOf(text) }),
  fillColumn: shape({ do: isDo, table: name, column, formula: text, 'unfit?': yes }),
  computeColumn: shape({ do: isDo, table: name, column: name }),
  computeFigures: shape({ do: isDo, table: name, formulas: mapOf(formula), 'states?': mapOf(text) }),
  noteStates: shape({ do: isDo, states: mapOf(mapOf(text)) }),
  addIndex: shape({ do: isDo, table: name, index }),
  dropIndex: shape({ do: isDo, table: name, index: name }),
  renameIndex: shape({ do: isDo, table: name, index: name, to: name }),
  addForeignKey: shape({ do: isDo, table: name, column: name, references: name }),
  dropForeignKey: shape({ do: isDo, table: name, column: name }),
  changeLimits: shape({ do: isDo, table: name, limits: shape(limits) }),
};

const step: Check = (value, path, report) => {
  const word = isObject(value) ? value['do'] : undefined;
  if (typeof word !== 'string' || !Object.hasOwn(shapes, word))
    return report(path, `has an unknown "do"; use one of ${Object.keys(shapes).join(', ')}`);
  shapes[word as Step['do']](value, path, report); // a key of the table, as was just seen
};
const file = shape({
  format: (value, path, report) => (value === 1 || value === 2 ? undefined : report(path, 'must be 1 or 2')),
  steps: listOf(step),
});

/** Reads one migration. @throws MigrationFaults */
export function readSteps(path: string, source: string): ReadSteps {
  const errors: ParseError[] = [];
  const tree = parseTree(source, errors, { allowTrailingComma: false, allowEmptyContent: false });
  const [error] = errors;
  if (error !== undefined || tree === undefined) {
    const reason = error === undefined ? 'empty' : printParseErrorCode(error.error);
    throw new MigrationFaults([`${place(path, source, error?.offset ?? 0)}: is not valid JSON (${reason})`]);
  }
  const faults: string[] = [];
  const at = (steps: JSONPath): string => place(path, source, nearest(tree, steps).offset);
  findTwice(tree, (node) =>
    faults.push(`${place(path, source, node.offset)}: ${JSON.stringify(node.value)} is twice in one object`),
  );
  const data = dataOf(tree);
  file(data, [], (steps, fault) => faults.push(`${at(steps)}: ${fault}`));
  if (faults.length > 0) throw new MigrationFaults(faults);
  const { steps, format } = data as { readonly steps: readonly Step[]; readonly format: 1 | 2 }; // as `file` has just checked
  return { steps, hasStates: format > 1, placeOf: (number) => at(['steps', number]) };
}

/** A node as data; keys that objects inherit are none. */
function dataOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(dataOf);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
      key === undefined || value === undefined ? [] : [[String(key.value), dataOf(value)]],
    ),
  );
}

function findTwice(node: Node, onTwice: (key: Node) => void): void {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? child.children?.[0] : undefined;
    if (key !== undefined && seen.has(key.value)) onTwice(key);
    seen.add(key?.value);
    findTwice(child, onTwice);
  }
}

function nearest(tree: Node, path: JSONPath): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return tree;
}

function place(path: string, source: string, offset: number): string {
  const before = source.slice(0, offset).split('\n');
  return `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
