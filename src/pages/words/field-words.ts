// A field in words: its values, when it may be written, where its value comes from.
import type { DefaultSource, Field, Resource, Scalar } from '../../registry/model/model.ts';
import { textFormats } from '../../registry/model/text-formats.ts';
import { jsonLimits } from '../../values/json-text.ts';
import { type Content, html, joined } from '../site/html.ts';
import { aLinkTo, linkTo, type Site } from '../site/site.ts';
import { codes, conditionText, figureText, jsonText, ruleBehind, ruleText, statesText } from './condition.ts';

const figure = (value: number): string => value.toLocaleString('en');

const freeText = { words: 'string', isSized: true };

/** Returns the type of one value: "string, at most 255 characters". */
function scalarText(scalar: Scalar): Content {
  switch (scalar.kind) {
    case 'text': {
      const { words, isSized } = scalar.format === undefined ? freeText : textFormats[scalar.format];
      const form = words.replace(/^an? /, '');
      if (scalar.pattern !== undefined)
        return html`string such as <code>${scalar.sample ?? ''}</code> (pattern <code>${scalar.pattern}</code>), at most ${figure(scalar.maxLength)} characters`;
      return isSized ? `${form}, at most ${figure(scalar.maxLength)} characters` : form;
    }
    case 'enum':
      return html`one of <span class="values">${joined(
        scalar.values.map((value) => html`<code>${value}</code>`),
        ' ',
      )}</span>`;
    case 'uuid':
      return 'UUID';
    case 'date':
      return 'date';
    case 'dateTime':
      return 'date and time (UTC)';
    case 'integer':
      return joined(['integer', ...boundsText(scalar.minimum, scalar.maximum)], ', ');
    case 'decimal': {
      const decimals =
        scalar.scale === 0 ? [] : [`at most ${scalar.scale} decimal ${scalar.scale === 1 ? 'place' : 'places'}`];
      const above = scalar.exclusiveMinimum === undefined ? [] : [`greater than ${figure(scalar.exclusiveMinimum)}`];
      return joined(
        ['number', ...decimals, ...above, ...boundsText(above.length > 0 ? undefined : scalar.minimum, scalar.maximum)],
        ', ',
      );
    }
    case 'boolean':
      return 'boolean';
    case 'json':
      return `any JSON object, at most ${figure(jsonLimits.characters)} characters and ${jsonLimits.levels} levels`;
  }
}

/** The widest bounds are those of JSON's own numbers, and not worth a word. */
function boundsText(minimum: number | undefined, maximum: number | undefined): string[] {
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : figure(minimum);
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : figure(maximum);
  if (least !== undefined && most !== undefined) return [`${least} to ${most}`];
  return [...(least === undefined ? [] : [`at least ${least}`]), ...(most === undefined ? [] : [`at most ${most}`])];
}

const itemCount = (minimum: number, maximum: number): string =>
  minimum === maximum
    ? `exactly ${figure(maximum)}`
    : minimum > 0
      ? `${minimum} to ${figure(maximum)}`
      : `at most ${figure(maximum)}`;

/** What a field holds. */
export function typeText(field: Field, site: Site): Content {
  switch (field.kind) {
    case 'reference': {
      const shown = field.as === 'id' ? 'id of ' : 'reference to ';
      const more = field.include.length > 0 ? html`, returned with ${codes(field.include)}` : undefined;
      return html`${shown}${aLinkTo(site, field.target)}${more}`;
    }
    case 'references':
      if (field.figure?.taken === 'atRead') return html`list of ${linkTo(site, field.target)}`;
      return html`list of ${linkTo(site, field.target)}, ${itemCount(0, field.maxItems)}`;
    case 'list':
      if (field.figure?.taken === 'atRead') return html`list; each item: ${scalarText(field.item)}`;
      return html`list of ${itemCount(field.minItems, field.maxItems)} items; each item: ${scalarText(field.item)}`;
    case 'object':
      return 'object';
    case 'objects':
      if (field.figure?.taken === 'atRead') return 'list of objects';
      return field.via === undefined
        ? html`list of objects, ${itemCount(field.minItems, field.maxItems)}`
        : html`list of ${linkTo(site, field.via.target)}`;
    case 'choice': {
      const choices = field.branches.map(
        ({ value, reference }) =>
          html`${aLinkTo(site, reference.target)} if <code>${field.by}</code> is <code>${value}</code>`,
      );
      return html`id of ${joined(choices, ', or of ')}`;
    }
    default:
      return field.currency === undefined
        ? scalarText(field)
        : html`${scalarText(field)}; amount in <code>${field.currency}</code>`;
  }
}

/** What unset looks like, or that it cannot be. */
export const unsetText = ({ unset }: Field): string | undefined =>
  ({ never: undefined, null: 'can be null', empty: 'an empty string if not set' })[unset];

/** When bodies may hold a field: the words, and whether a create must bring it. */
export function writeText(field: Field): { readonly text: string; readonly isRequired: boolean } {
  const { onCreate, onUpdate, required, shown, isParameter } = field;
  const isRequired = required && onCreate;
  if (isParameter) return { text: 'query parameter', isRequired };
  const unseen = shown ? '' : ', write-only';
  if (!onCreate && !onUpdate) return { text: shown ? 'read-only' : 'not accepted, not returned', isRequired };
  if (!onUpdate) return { text: `${isRequired ? 'required' : 'optional'}, on create only${unseen}`, isRequired };
  if (!onCreate) return { text: `optional, on update only${unseen}`, isRequired };
  return { text: `${isRequired ? 'required on create' : 'optional'}${unseen}`, isRequired };
}

/** Everything else that is to be known of a field, a sentence each. */
export function notesOf(field: Field, resource: Resource, site: Site): Content[] {
  const notes: Content[] = [];
  const add = (note: Content): void => void notes.push(note);
  if (field.deprecated) add('Deprecated.');
  if (field.onlyWhen)
    add(html`Only if ${conditionText(field.onlyWhen)}. Otherwise the field is empty, and requests must not set it.`);
  if (field.requiredWhen) add(html`Required if ${conditionText(field.requiredWhen)}.`);
  if (resource.lockedFields.some(({ fields }) => fields.includes(field)))
    add(html`Read-only under a condition, see <a href="#rules">rules</a>.`);
  const isPlainDefault = field.default !== undefined && !(Array.isArray(field.default) && field.default.length === 0);
  if (isPlainDefault && field.default !== undefined) add(html`Default: ${jsonText(field.default)}.`);
  if (field.defaultFrom.length > 0)
    add(
      html`Default: ${joined(
        field.defaultFrom.map((source) => defaultText(source, site)),
        ', otherwise ',
      )}.`,
    );
  for (const { when, from } of field.inherits)
    add(
      html`Has the value of <code>${from}</code> while <code>${when.key}</code> is ${when.operator === '==' ? '' : 'not '}${when.literal === null ? 'null' : html`<code>${String(when.literal)}</code>`}.`,
    );
  if (field.from !== undefined) add(html`Value of <code>${field.from}</code>.`);
  if (field.figure) add(html`Computed: ${figureText(field.figure)}.`);
  if (field.accepts) add('Requests may send it only with the computed value.');
  if (field.becomes.length > 0) add(html`Set automatically: ${statesText(field.becomes)}.`);
  if (field.derived) {
    const behind = ruleBehind(field.derived, resource);
    const bare = Object.keys(field.derived.arguments).length === 0;
    add(
      behind !== undefined || (bare && (site.signatures[field.derived.use]?.says ?? '').includes('{'))
        ? html`Computed on each write (<code>${field.derived.use}</code>, see <a href="#rules">rules</a>).`
        : html`Computed: ${ruleText(field.derived, site)}`,
    );
  }
  if ('transitions' in field && field.transitions)
    add(
      html`Allowed transitions: ${joined(
        Object.entries(field.transitions).map(
          ([from, to]) => html`<code>${from}</code> → ${to.length > 0 ? codes(to) : 'none'}`,
        ),
        '; ',
      )}.`,
    );
  if ('initialStates' in field && field.initialStates !== undefined)
    add(html`Allowed on create: ${codes(field.initialStates)}.`);
  if (field.kind === 'objects' && field.distinct !== undefined)
    add(html`Each <code>${field.distinct}</code> may occur only once in the list.`);
  if (field.kind === 'objects' && field.via !== undefined) {
    const { target, field: via, sortedBy } = field.via;
    const order = sortedBy === undefined ? undefined : html`, sorted by <code>${sortedBy}</code>`;
    add(html`Fields of the ${linkTo(site, target)} records whose <code>${via}</code> refers to this record${order}.`);
  }
  if (field.kind === 'references' && field.via !== undefined)
    add(html`The records whose <code>${field.via}</code> refers to this record.`);
  return notes;
}

function defaultText(source: DefaultSource, site: Site): Content {
  switch (source.kind) {
    case 'path':
      return html`the value of <code>${source.path}</code>`;
    case 'formula':
      return figureText(source.figure);
    case 'today':
      return 'today';
    case 'actingMember':
      return 'the acting member';
    case 'find':
      return html`the ${linkTo(site, source.group)} with ${jsonText(source.where)}`;
    case 'value':
      return source.when === undefined
        ? jsonText(source.value)
        : html`${jsonText(source.value)} if ${conditionText(source.when)}`;
  }
}
