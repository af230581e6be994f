// Saves a view as an image: its drawings one below the other, in the current colours.
import { saveFile } from '../../browser/save-file.ts';
import { viewMessages } from '../../messages/views.ts';
import { isPainted, made, svgSpace } from './svg.ts';
import { tableDrawing } from './table-drawing.ts';

interface Wanted {
  /** Of the file, without its ending. */
  readonly name: string;
  /** Lines above the drawing. */
  readonly title: readonly string[];
}

/** What of the style sheets is seen in a drawing. */
const looks = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
] as const;

const edge = 20;
const lineHeight = 20;
const sharpness = 2;

interface Drawing {
  readonly root: SVGSVGElement;
  readonly width: number;
  readonly height: number;
}

function drawingOf(holder: HTMLElement, { title }: Wanted): Drawing {
  const parts = [...holder.querySelectorAll<SVGSVGElement | HTMLTableElement>('[data-drawing]')];
  // What is drawn below a text has its colour.
  const style = getComputedStyle(holder);
  const sizes = parts.map((part) => part.getBoundingClientRect());
  const width = Math.max(...sizes.map((size) => size.width)) + 2 * edge;
  const root = document.createElementNS(svgSpace, 'svg');
  const ground = made('rect', { width: '100%', height: '100%', fill: groundOf(holder) });
  root.append(ground);
  let top = edge;
  for (const [index, text] of title.entries()) {
    top += lineHeight;
    const line = made('text', {
      x: String(edge),
      y: String(top - 6),
      fill: style.textDecorationColor,
      'font-family': style.fontFamily,
    });
    line.setAttribute('font-size', index === 0 ? '15' : '12');
    if (index === 0) line.setAttribute('font-weight', '600');
    line.textContent = text;
    root.append(line);
  }
  top += 8;
  for (const [index, part] of parts.entries()) {
    const legend = part.parentElement?.querySelector('[data-legend]') ?? null;
    if (legend !== null && index > 0) top += 12;
    top += drawLegend(legend, root, top);
    const copy = part instanceof HTMLTableElement ? tableDrawing(part) : copyOf(part);
    const { width: own = 0, height = 0 } = sizes[index] ?? {};
    for (const [name, value] of Object.entries({ x: edge, y: top, width: own, height }))
      copy.setAttribute(name, String(value));
    root.append(copy);
    top += height;
  }
  const height = top + edge;
  for (const [name, value] of Object.entries({ width, height })) root.setAttribute(name, String(Math.ceil(value)));
  root.setAttribute('xmlns', svgSpace);
  root.setAttribute('viewBox', `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`);
  return { root, width, height };
}

function copyOf(part: SVGSVGElement): SVGSVGElement {
  const copy = part.cloneNode(true) as SVGSVGElement;
  takeLooks(part, copy);
  return copy;
}

/** What stands above a drawing in words, where it stands. @returns its height */
function drawLegend(legend: Element | null, root: SVGSVGElement, top: number): number {
  if (legend === null) return 0;
  const box = legend.getBoundingClientRect();
  const { textDecorationColor, fontFamily, fontSize } = getComputedStyle(legend);
  for (const entry of legend.children) {
    const own = entry.getBoundingClientRect();
    const y = top + own.top - box.top;
    let x = edge + own.left - box.left;
    const swatch = entry.querySelector('.swatch');
    if (swatch !== null) {
      const { width, height } = swatch.getBoundingClientRect();
      const place = {
        x: String(x),
        y: String(y + (own.height - height) / 2),
        width: String(width),
        height: String(height),
      };
      root.append(made('rect', { ...place, rx: '3', fill: getComputedStyle(swatch).backgroundColor }));
      x += width + 6;
    }
    const looksOfText = { fill: textDecorationColor, 'font-family': fontFamily, 'font-size': fontSize };
    const line = made('text', { x: String(x), y: String(y + own.height - 5), ...looksOfText });
    line.textContent = (entry.textContent ?? '').trim();
    root.append(line);
  }
  return box.height + 6;
}

/** The first ground that is painted. */
function groundOf(element: Element | null): string {
  if (element === null) return '#fff';
  const { backgroundColor } = getComputedStyle(element);
  return isPainted(backgroundColor) ? backgroundColor : groundOf(element.parentElement);
}

/** Elements of a copy get as attributes what style sheets say of those that they were made of. */
function takeLooks(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  if (style.display === 'none') {
    to.remove();
    return;
  }
  for (const name of looks) {
    const value = style.getPropertyValue(name);
    if (value !== '') to.setAttribute(name, value);
  }
  for (const name of ['class', 'style', 'tabindex', 'role', 'href', 'aria-label']) to.removeAttribute(name);
  const [sources, copies] = [[...from.children], [...to.children]];
  for (const [index, source] of sources.entries()) {
    const copy = copies[index];
    if (copy !== undefined) takeLooks(source, copy);
  }
}

const textOf = ({ root }: Drawing): string => new XMLSerializer().serializeToString(root);

export function saveAsSvg(holder: HTMLElement, wanted: Wanted): void {
  saveFile(new Blob([textOf(drawingOf(holder, wanted))], { type: 'image/svg+xml' }), `${wanted.name}.svg`);
}

/** @throws Error where the browser cannot paint it */
export async function saveAsPng(holder: HTMLElement, wanted: Wanted): Promise<void> {
  const drawing = drawingOf(holder, wanted);
  const image = new Image();
  // The policy of the page knows pictures of its own and data.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(drawing))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = drawing.width * sharpness;
  canvas.height = drawing.height * sharpness;
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error(viewMessages.imageTooLarge);
  saveFile(blob, `${wanted.name}.png`);
}
