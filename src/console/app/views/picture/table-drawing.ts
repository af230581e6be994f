// An HTML table as SVG: cells in place, with their backgrounds and texts.
import { isPainted, made, svgSpace } from './svg.ts';

/** Letters stand on a line somewhat above the lower edge of their box. */
const descent = 0.24;

/** @param table One that is shown. @returns a drawing of its size */
export function tableDrawing(table: HTMLTableElement): SVGSVGElement {
  const frame = table.getBoundingClientRect();
  const root = document.createElementNS(svgSpace, 'svg');
  for (const cell of table.querySelectorAll('th, td')) {
    // What is painted in a cell may fill it, as a day does.
    for (const part of [cell, ...cell.querySelectorAll('*')]) {
      const box = part.getBoundingClientRect();
      // What is there for readers alone is a pixel.
      if (box.width < 2 || box.height < 2) continue;
      const style = getComputedStyle(part);
      const place = { x: box.left - frame.left, y: box.top - frame.top, width: box.width, height: box.height };
      const stroke = part === cell && Number.parseFloat(style.borderTopWidth) > 0 ? style.borderTopColor : 'none';
      if (isPainted(style.backgroundColor) || stroke !== 'none')
        root.append(made('rect', { ...place, fill: plain(style.backgroundColor), stroke: plain(stroke) }));
      const words = [...part.childNodes].flatMap((node) => (node instanceof Text ? [node.data] : [])).join('');
      if (words.trim() !== '') root.append(textOf(words.trim(), place, style));
    }
  }
  return root;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function textOf(words: string, { x, y, width, height }: Place, style: CSSStyleDeclaration): SVGElement {
  const isAtEnd = style.textAlign === 'right' || style.textAlign === 'end';
  const { fontSize, fontWeight, fontFamily } = style;
  const line = made('text', {
    x: isAtEnd ? x + width - Number.parseFloat(style.paddingRight) : x + Number.parseFloat(style.paddingLeft),
    y: y + height - Number.parseFloat(style.paddingBottom) - Number.parseFloat(fontSize) * descent,
    // Resolves to the colour of the text.
    fill: plain(style.textDecorationColor),
    'font-family': fontFamily,
    'font-size': fontSize,
    'font-weight': fontWeight,
    'text-anchor': isAtEnd ? 'end' : 'start',
  });
  line.textContent = words;
  return line;
}

/** Mixed colours come as `color(srgb …)`, which few programs that read drawings know. */
function plain(color: string): string {
  const parts = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)/.exec(color);
  if (parts === null) return color;
  return `rgb(${parts
    .slice(1)
    .map((part) => Math.round(Number(part) * 255))
    .join(', ')})`;
}
