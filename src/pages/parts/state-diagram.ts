// The state diagram of a field: transitions by callers and automatic ones, from the descriptor alone.
import { type Node, parseFormula } from '../../formulas/language/syntax.ts';
import type { Field, Resource, State } from '../../registry/model/model.ts';
import { type Content, type Html, html } from '../site/html.ts';
import { fieldAnchor } from '../site/site.ts';
import { codes, conditionText } from '../words/condition.ts';

type EnumField = Field & { readonly kind: 'enum' };

/** A way from one state to another. Without `from` it comes from any other state. */
interface Way {
  readonly from: string | undefined;
  readonly to: string;
  /** Of what follows by itself: its number in the list below the drawing. */
  readonly number: number | undefined;
}

interface Place {
  readonly state: string;
  readonly layer: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const height = 36;
const letterWidth = 8.4;
const layerGap = 86;
const rowGap = 34;
const margin = 18;
/** What follows from any state comes down from above. */
const stub = 34;
/** Between ways back, below the states. */
const backGap = 24;

/** Drawings of all fields whose values change by rules; undefined where there is none. */
export function statesOf(resource: Resource): Content {
  const fields = resource.fields.filter(
    (field): field is EnumField => field.kind === 'enum' && waysOf(field).length > 0,
  );
  return fields.length === 0 ? undefined : fields.map((field) => drawing(field));
}

function waysOf(field: EnumField): readonly Way[] {
  const asked = Object.entries(field.transitions ?? {}).flatMap(([from, all]) =>
    all.map((to): Way => ({ from, to, number: undefined })),
  );
  const following = field.becomes.map((state, index): Way => {
    return { from: originOf(state, field), to: String(state.to), number: index + 1 };
  });
  return [...asked, ...following];
}

/** The state that a condition asks for: `statusId == 'issued' && …`. */
function originOf({ when }: State, { key, name }: EnumField): string | undefined {
  const asked = (node: Node): string | undefined => {
    if (node.op !== 'binary') return undefined;
    const { sign, left, right } = node;
    if (sign === '&&') return asked(left) ?? asked(right);
    const isOwn = left.op === 'name' && (left.name === key || left.name === name);
    return sign === '==' && isOwn && right.op === 'literal' ? String(right.literal.value) : undefined;
  };
  return asked(parseFormula(when.source));
}

function drawing(field: EnumField): Html {
  const ways = waysOf(field);
  const places = placesOf(field, ways);
  const back = ways.filter(({ from, to }) => from !== undefined && layerOf(places, to) < layerOf(places, from));
  const all = [...places.values()];
  const lowest = Math.max(...all.map(({ y }) => y + height));
  // Room for what leaves a state at its right side.
  const aside = (back.length > 0 ? 16 + 5 * back.length : 0) + (ways.some(isBeside(places)) ? 34 : 0);
  const [width, high] = [
    Math.max(...all.map((place) => place.x + place.width)) + margin + aside,
    lowest + back.length * backGap + margin,
  ];
  const first = field.default === undefined ? field.values[0] : String(field.default);
  const begins = field.initialStates ?? (first === undefined ? [] : [first]);
  return html`<figure class="states">
<figcaption><a href="#${fieldAnchor(field.name)}"><code>${field.name}</code></a></figcaption>
<div class="drawing" tabindex="0" role="region" aria-label="States of ${field.name}">
<svg viewBox="0 0 ${round(width)} ${round(high)}" width="${round(width)}" height="${round(high)}" role="img" aria-label="${inWords(ways)}">
<defs><marker id="tip-${field.name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0.5L8 4L0 7.5z"/></marker></defs>
${ways.map((way) => wayPath(way, { places, lowest, back, tip: `tip-${field.name}` }))}
${all.map(({ state, x, y, width: wide }) => html`<g class="${begins.includes(state) ? 'state first' : 'state'}"><rect x="${round(x)}" y="${round(y)}" width="${round(wide)}" height="${height}" rx="9"/><text x="${round(x + wide / 2)}" y="${round(y + height / 2 + 4.5)}" text-anchor="middle">${state}</text></g>`)}
</svg></div>
<p class="key"><span class="line"></span>set by a request${field.becomes.length === 0 ? undefined : html` <span class="line dashed"></span>set automatically`}${first === undefined ? undefined : html` <span class="box"></span>initial state`}</p>
${followingList(field)}
</figure>`;
}

/** What follows by itself in words, by the numbers of the drawing. */
function followingList({ becomes, key }: EnumField): Content {
  if (becomes.length === 0) return undefined;
  return html`<ol>${becomes.map(({ to, when }) =>
    when.source.trim() === 'true'
      ? html`<li>Otherwise ${codes([String(to)])}.</li>`
      : html`<li>${codes([String(to)])} if ${conditionText(when)}.</li>`,
  )}</ol>
<p class="quiet">Each write checks these conditions in order. The first one that is true sets <code>${key}</code>.</p>`;
}

const inWords = (ways: readonly Way[]): string =>
  ways
    .map(({ from = 'any state', to, number }) => `${from} to ${to}${number === undefined ? '' : ', automatically'}`)
    .join('; ');

/** Columns by how many changes lead from the state of new records to one. */
function placesOf(field: EnumField, ways: readonly Way[]): ReadonlyMap<string, Place> {
  const start = field.default === undefined ? (field.values[0] ?? '') : String(field.default);
  const layers = new Map([[start, 0]]);
  // A map goes on with what is added to it meanwhile.
  for (const [state, layer] of layers)
    for (const { from, to } of ways) if (from === state && !layers.has(to)) layers.set(to, layer + 1);
  for (const { to } of ways) if (!layers.has(to)) layers.set(to, 1);
  for (const state of field.values) if (!layers.has(state)) layers.set(state, 0);
  const byLayer = Map.groupBy(
    field.values.filter((state) => layers.has(state)),
    (state) => layers.get(state) ?? 0,
  );
  const top = margin + (ways.some(({ from, number }) => from === undefined && number !== undefined) ? stub : 0);
  const tallest = Math.max(...[...byLayer.values()].map(({ length }) => length));
  const places = new Map<string, Place>();
  let x = margin;
  for (const layer of [...byLayer.keys()].toSorted((a, b) => a - b)) {
    const states = byLayer.get(layer) ?? [];
    const width = Math.max(...states.map(({ length }) => length)) * letterWidth + 30;
    for (const [row, state] of states.entries()) {
      const y = top + (row + (tallest - states.length) / 2) * (height + rowGap);
      places.set(state, { state, layer, x, y, width });
    }
    x += width + layerGap;
  }
  return places;
}

const layerOf = (places: ReadonlyMap<string, Place>, state: string | undefined): number =>
  places.get(state ?? '')?.layer ?? 0;

/** Whether a way is between states of one column. */
const isBeside =
  (places: ReadonlyMap<string, Place>) =>
  ({ from, to }: Way): boolean =>
    from !== undefined && layerOf(places, from) === layerOf(places, to);

interface Drawn {
  readonly places: ReadonlyMap<string, Place>;
  readonly lowest: number;
  readonly back: readonly Way[];
  readonly tip: string;
}

function wayPath(way: Way, { places, lowest, back, tip }: Drawn): Content {
  const to = places.get(way.to);
  if (to === undefined) return undefined;
  const from = way.from === undefined ? undefined : places.get(way.from);
  const { path, labelX, labelY } =
    from === undefined ? fromAbove(to, way) : between(from, to, { way, back, lowest, places });
  const label =
    way.number === undefined
      ? undefined
      : html`<g class="mark"><circle cx="${round(labelX)}" cy="${round(labelY)}" r="9.5"/><text x="${round(labelX)}" y="${round(labelY + 4)}" text-anchor="middle">${way.number}</text></g>`;
  return html`<path class="${way.number === undefined ? 'way' : 'way follows'}" d="${path}" marker-end="url(#${tip})"/>${label}`;
}

interface Line {
  readonly path: string;
  readonly labelX: number;
  readonly labelY: number;
}

/** Several that come to one state from any stand side by side. */
function fromAbove({ x, y, width }: Place, { number = 1 }: Way): Line {
  const at = x + width / 2 + ((number % 2) - 0.5) * 26;
  return { path: `M${round(at)} ${round(y - stub)}L${round(at)} ${round(y - 2)}`, labelX: at, labelY: y - stub };
}

interface Ways extends Pick<Drawn, 'places' | 'back' | 'lowest'> {
  readonly way: Way;
}

/** Forward from side to side, back around below, and between states of one column down their right side. */
function between(from: Place, to: Place, { way, back, lowest, places }: Ways): Line {
  // Both may lead from one state to another: by an update, and by itself.
  const shift = way.number === undefined ? -5 : 7;
  const [startY, endY] = [from.y + height / 2 + shift, to.y + height / 2 + shift];
  if (to.layer > from.layer) {
    const [startX, endX] = [from.x + from.width, to.x - 2];
    const middle = (startX + endX) / 2;
    return {
      path: `M${round(startX)} ${round(startY)}C${round(middle)} ${round(startY)} ${round(middle)} ${round(endY)} ${round(endX)} ${round(endY)}`,
      labelX: middle,
      labelY: (startY + endY) / 2,
    };
  }
  if (to.layer === from.layer) {
    const [startX, endX] = [from.x + from.width, to.x + to.width + 2];
    const out = Math.max(startX, endX) + 34;
    return {
      path: `M${round(startX)} ${round(startY)}C${round(out)} ${round(startY)} ${round(out)} ${round(endY)} ${round(endX)} ${round(endY)}`,
      labelX: out - 9,
      labelY: (startY + endY) / 2,
    };
  }
  return backwards(from, to, { nth: back.indexOf(way), lowest, places });
}

interface Back {
  /** Among all ways back: each runs below the one before. */
  readonly nth: number;
  readonly lowest: number;
  readonly places: ReadonlyMap<string, Place>;
}

/** Down, to the left below all states, and up; beside a state that has others below it. */
function backwards(from: Place, to: Place, { nth, lowest, places }: Back): Line {
  const depth = lowest + (nth + 1) * backGap - 4;
  const isAbove = (place: Place): boolean =>
    [...places.values()].some((other) => other.layer === place.layer && other.y > place.y);
  const shift = 7 * (nth % 5) - 7;
  const [startX, endX] = [
    isAbove(from) ? from.x + from.width + 16 + 5 * nth : from.x + from.width / 2 + shift,
    isAbove(to) ? to.x - 16 - 5 * nth : to.x + to.width / 2 + shift,
  ];
  const leave = isAbove(from)
    ? `M${round(from.x + from.width)} ${round(from.y + height / 2 + 6)}Q${round(startX)} ${round(from.y + height / 2 + 6)} ${round(startX)} ${round(from.y + height)}`
    : `M${round(startX)} ${round(from.y + height)}`;
  const arrive = isAbove(to)
    ? `L${round(endX)} ${round(to.y + height)}Q${round(endX)} ${round(to.y + height / 2 + 6)} ${round(to.x - 2)} ${round(to.y + height / 2 + 6)}`
    : `L${round(endX)} ${round(to.y + height + 2)}`;
  const bend = 12;
  return {
    path: `${leave}L${round(startX)} ${round(depth - bend)}Q${round(startX)} ${round(depth)} ${round(startX - bend)} ${round(depth)}L${round(endX + bend)} ${round(depth)}Q${round(endX)} ${round(depth)} ${round(endX)} ${round(depth - bend)}${arrive}`,
    labelX: (startX + endX) / 2,
    labelY: depth,
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
