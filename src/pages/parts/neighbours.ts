// The neighbours of a group as a drawing: groups that refer to it on the left, groups it refers to on the right.
import type { Resource } from '../../registry/model/model.ts';
import { type Content, type Html, html } from '../site/html.ts';
import { groupAddress, type Site } from '../site/site.ts';

const height = 30;
const gap = 8;
const letterWidth = 8.1;
/** Where the lines run. */
const between = 74;
const margin = 8;
/** More are told as a number, with the list below. */
const most = 8;

interface Side {
  readonly shown: readonly Resource[];
  readonly more: number;
  readonly rows: number;
  readonly width: number;
  /** The list of all of them. */
  readonly href: string;
}

const widthOf = (text: string): number => Math.ceil(text.length * letterWidth) + 24;

function sideOf(all: readonly Resource[], href: string): Side {
  const groups = [...new Map(all.map((group) => [group.name, group])).values()];
  const shown = groups.length > most ? groups.slice(0, most - 1) : groups;
  const more = groups.length - shown.length;
  const texts = [...shown.map(({ title }) => title), ...(more > 0 ? [moreWords(more)] : [])];
  return { shown, more, rows: texts.length, width: Math.max(0, ...texts.map(widthOf)), href };
}

const moreWords = (count: number): string => `and ${count} more`;

/** The drawing; undefined for a group that stands alone. */
export function neighboursOf({ references }: Site, resource: Resource): Content {
  const isOther = ({ name }: Resource): boolean => name !== resource.name;
  const left = sideOf(
    references
      .to(resource.name)
      .map(({ from }) => from)
      .filter(isOther),
    '#referred-to-by',
  );
  const right = sideOf(
    references
      .of(resource.name)
      .map(({ to }) => to)
      .filter(isOther),
    '#refers-to',
  );
  const rows = Math.max(left.rows, right.rows);
  if (rows === 0) return undefined;
  const high = rows * (height + gap) - gap + 2 * margin;
  const own = widthOf(resource.title);
  const ownX = margin + (left.rows > 0 ? left.width + between : 0);
  const rightX = ownX + own + between;
  const wide = (right.rows > 0 ? rightX + right.width : ownX + own) + margin;
  const middle = high / 2;
  const top = ({ rows: count }: Side): number => (high - count * (height + gap) + gap) / 2;
  return html`<div class="drawing" tabindex="0" role="region" aria-label="Groups related to ${resource.title}">
<svg class="neighbours" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="group" aria-label="Groups that refer to ${resource.title}, and groups that it refers to">
<defs><marker id="tip-near" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0.5L8 4L0 7.5z"/></marker></defs>
<g aria-hidden="true">${lines(left, { x: margin + left.width, y: top(left), toX: ownX - 2, toY: middle })}${lines(right, { x: rightX - 2, y: top(right), toX: ownX + own, toY: middle, isOut: true })}</g>
${boxes(left, margin, top(left))}
<g class="own"><rect x="${ownX}" y="${middle - height / 2}" width="${own}" height="${height}" rx="7"/><text x="${ownX + own / 2}" y="${middle + 4.5}" text-anchor="middle">${resource.title}</text></g>
${boxes(right, rightX, top(right))}
</svg></div>`;
}

const boxes = ({ shown, more, width, href }: Side, x: number, top: number): Content => [
  shown.map(({ name, title }, row) =>
    box({ text: title, href: groupAddress(name), width, x, y: top + row * (height + gap) }),
  ),
  more > 0 ? box({ text: moreWords(more), href, width, x, y: top + shown.length * (height + gap) }) : undefined,
];

interface Box {
  readonly text: string;
  readonly href: string;
  readonly width: number;
  readonly x: number;
  readonly y: number;
}

const box = ({ text, href, width, x, y }: Box): Html =>
  html`<a class="node" href="${href}"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7"/><text x="${x + 12}" y="${y + 19.5}">${text}</text></a>`;

interface Lines {
  readonly x: number;
  readonly y: number;
  readonly toX: number;
  readonly toY: number;
  /** Away from the group in the middle. */
  readonly isOut?: boolean;
}

const lines = ({ rows }: Side, { x, y, toX, toY, isOut }: Lines): Content =>
  Array.from({ length: rows }, (_none, row) => {
    const at = y + row * (height + gap) + height / 2;
    const [startX, startY, endX, endY] = isOut === true ? [toX, toY, x, at] : [x, at, toX, toY];
    const half = (startX + endX) / 2;
    return html`<path class="way" d="M${startX} ${startY}C${half} ${startY} ${half} ${endY} ${endX} ${endY}" marker-end="url(#tip-near)"/>`;
  });
