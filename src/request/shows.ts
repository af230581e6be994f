// The parameters `expand` and `fields` → what of a record an answer shows, as a tree of names.
import { expandablePaths, fieldsInside, type GroupsByName, groupBehind } from '../endpoints/routes/expandable.ts';
import { type Problem, problems } from '../problems.ts';
import type { Feature, Field, Resource } from '../registry/model/model.ts';
import { nearest } from '../text/nearest.ts';
import { unreachable } from '../unreachable.ts';

/** What is shown of a record, of an object in it, or of the items of a list. */
export interface Shows {
  /** The same for the same parts: what is made for them is kept by it. */
  readonly text: string;
  /** Names of the fields that are shown; undefined: all of them. */
  readonly names: ReadonlySet<string> | undefined;
  /** What is shown inside fields, by their names, where that is not all. */
  readonly inside: ReadonlyMap<string, ShowsInside>;
}

export interface ShowsInside extends Shows {
  /** The group whose record stands in place of the reference. */
  readonly behind: Resource | undefined;
}

const deepest = 3;
const mostPaths = 10;
const references = 'references of the record';
const fields = 'fields of the record';
/** What is said of a name that a caller made up; its beginning tells enough. */
const longestSaid = 255;

/** A tree that is being made. */
interface Part {
  readonly behind: Resource | undefined;
  /** Whether all fields are shown. */
  isWhole: boolean;
  readonly names: Set<string>;
  readonly inside: Map<string, Part>;
}

const newPart = (behind: Resource | undefined): Part => ({
  behind,
  isWhole: true,
  names: new Set(),
  inside: new Map(),
});

/** Where a step of a path is taken: a record, or a field with fields inside. */
interface Place {
  readonly part: Part;
  readonly fields: readonly Field[];
}

/** Reads both parameters of a request, in whichever order they come. */
export class ShowsReader {
  readonly #resource: Resource;
  readonly #groups: GroupsByName;
  readonly #root = newPart(undefined);
  readonly #problem: Problem | undefined;

  /** @param expand The text of the parameter `expand`, where it is given. */
  constructor(resource: Resource, groups: GroupsByName, expand: string | undefined) {
    this.#resource = resource;
    this.#groups = groups;
    this.#problem = expand === undefined ? undefined : this.#readExpand(expand.split(','));
  }

  /** @throws Problem 400 where `expand` cannot be read */
  checkExpand(): void {
    if (this.#problem !== undefined) throw this.#problem;
  }

  get #start(): Place {
    return { part: this.#root, fields: this.#resource.fields.filter(({ shown }) => shown) };
  }

  /** @returns what is wrong with the first path that is none; those before it count */
  #readExpand(paths: readonly string[]): Problem | undefined {
    if (paths.length > mostPaths) return problems.parameterInvalid('expand', `at most ${mostPaths} paths`);
    for (const [index, path] of paths.entries()) {
      if (paths.indexOf(path) < index)
        return problems.parameterWrong('expand', references, `'${said(path)}' is given twice`);
      const problem = this.#expandPath(path);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #expandPath(path: string): Problem | undefined {
    let { part, fields: here } = this.#start;
    let depth = 0;
    const taken: string[] = [];
    for (const step of path.split('.')) {
      const field = here.find(({ name }) => name === step);
      const behind = field && groupBehind(field, this.#groups);
      const inside = field === undefined ? [] : fieldsInside(field);
      if (behind === undefined && !inside.some((one) => isWay(one, this.#groups))) {
        const known = expandablePaths({ fields: here }, this.#groups).map((name) => [...taken, name].join('.'));
        return noPath('expand', references, { path, known });
      }
      if (behind !== undefined) depth += 1;
      if (depth > deepest) return problems.parameterInvalid('expand', `at most ${deepest} references deep`);
      part = partIn(part, step, behind);
      here = behind === undefined ? inside : behind.fields.filter(({ shown }) => shown);
      taken.push(step);
    }
    // The path of a list by itself leads to no reference.
    if (part.behind !== undefined) return undefined;
    const known = expandablePaths({ fields: here }, this.#groups).map((name) => `${path}.${name}`);
    return noPath('expand', references, { path, known });
  }

  /** @throws Problem 400 for the first path that is no field of the record */
  readFields(text: string): void {
    const paths = text.split(',');
    const ends: { readonly part: Part; readonly step: string }[] = [];
    for (const [index, path] of paths.entries()) {
      if (paths.indexOf(path) < index)
        throw problems.parameterWrong('fields', fields, `'${said(path)}' is given twice`);
      ends.push(this.#showPath(path));
    }
    // What is asked for as a whole is whole, whatever parts of it are named besides.
    for (const { part, step } of ends) makeWhole(part.inside.get(step));
  }

  /** @returns where the path ends */
  #showPath(path: string): { readonly part: Part; readonly step: string } {
    const steps = path.split('.');
    let { part, fields: here } = this.#start;
    for (const [depth, step] of steps.entries()) {
      const field = here.find(({ name }) => name === step);
      if (field === undefined) {
        const known = here.map(({ name }) => [...steps.slice(0, depth), name].join('.'));
        throw noPath('fields', fields, { path, known });
      }
      part.isWhole = false;
      part.names.add(step);
      const known = part.inside.get(step);
      if (depth === steps.length - 1) return { part, step };
      const behind = known?.behind;
      here = behind === undefined ? this.#partsOf(field) : withName(behind.fields.filter(({ shown }) => shown));
      if (here.length === 0) throw noPath('fields', fields, { path, known: [] });
      const next = steps[depth + 1];
      if (behind === undefined && 'target' in field && !here.some(({ name }) => name === next))
        throw problems.parameterWrong(
          'fields',
          fields,
          `'${said(steps.slice(0, depth + 1).join('.'))}' is not expanded`,
        );
      part = partIn(part, step, undefined);
    }
    return unreachable('a path without steps');
  }

  /** The fields inside of one that is not expanded: a reference shows the name and what it includes. */
  #partsOf(field: Field): readonly Field[] {
    if (!('target' in field)) return fieldsInside(field);
    const target = this.#groups.get(field.target);
    if (target === undefined || (field.kind === 'reference' && field.as === 'id')) return notExpanded;
    const included = field.kind === 'reference' ? field.include : [];
    return withName(target.fields.filter(({ name }) => name === 'id' || name === 'name' || included.includes(name)));
  }

  /** The tree; undefined where all is shown as it always is. */
  result(): Shows | undefined {
    const shows = frozen(this.#root);
    return shows.text === '' ? undefined : shows;
  }
}

/** What stands in place of a reference has a name, as the reference has, whether there is such a field or not. */
function withName(shown: readonly Field[]): readonly Field[] {
  const id = shown.find(({ name }) => name === 'id');
  return id === undefined || shown.some(({ name }) => name === 'name') ? shown : [...shown, { ...id, name: 'name' }];
}

/** Of a reference that shows an id and no more: nothing in it can be asked for. */
const notExpanded: readonly Field[] = [{ name: '' } as Field];

function makeWhole(part: Part | undefined): void {
  if (part === undefined) return;
  part.isWhole = true;
  for (const inside of part.inside.values()) makeWhole(inside);
}

const isWay = (field: Field, groups: GroupsByName): boolean =>
  groupBehind(field, groups) !== undefined || fieldsInside(field).some((inside) => isWay(inside, groups));

function partIn(part: Part, name: string, behind: Resource | undefined): Part {
  const inside = part.inside.get(name) ?? newPart(behind);
  part.inside.set(name, inside);
  return inside;
}

/** A path that is none of those that are known. What lies inside it may be meant, or else the nearest of them. */
export function noPath(
  parameter: string,
  words: string,
  { path, known }: { readonly path: string; readonly known: readonly string[] },
): Problem {
  const meant = known.find((each) => each.startsWith(`${path}.`)) ?? nearest(path, known);
  const name = `'${said(path)}' is none`;
  return problems.parameterWrong(parameter, words, meant === undefined ? name : `${name}; did you mean '${meant}'?`);
}

const said = (path: string): string => (path.length > longestSaid ? `${path.slice(0, longestSaid)}…` : path);

function frozen({ isWhole, names, inside }: Part): Shows {
  const parts = [...inside]
    .filter(([name]) => isWhole || names.has(name))
    .map(([name, part]) => [name, { ...frozen(part), behind: part.behind }] as const)
    .filter(([, { behind, text }]) => behind !== undefined || text !== '');
  return showsOf(isWhole ? undefined : names, new Map(parts));
}

function showsOf(names: Shows['names'], inside: Shows['inside']): Shows {
  const within = [...inside].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const parts = within.map(([name, { behind, text }]) => `${name}${behind === undefined ? '' : '!'}(${text})`);
  const text = `${names === undefined ? '' : `=${[...names].toSorted().join()}`}${parts.length === 0 ? '' : `:${parts.join()}`}`;
  return Object.freeze({ text, names, inside });
}

/** The same, where references to groups behind a feature that is off stay as they are. */
export function withoutHidden(shows: Shows, isEnabled: (feature: Feature) => boolean): Shows {
  const inside = [...shows.inside].map(([name, part]): readonly [string, ShowsInside] => {
    const feature = part.behind?.feature;
    if (feature !== undefined && !isEnabled(feature))
      return [name, { ...showsOf(undefined, new Map()), behind: undefined }];
    const seen = withoutHidden(part, isEnabled);
    return [name, seen === part ? part : { ...seen, behind: part.behind }];
  });
  if (inside.every(([name, part]) => part === shows.inside.get(name))) return shows;
  return showsOf(shows.names, new Map(inside.filter(([, { behind, text }]) => behind !== undefined || text !== '')));
}
