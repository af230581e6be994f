// Renders SVG outside the document.
export const svgSpace = 'http://www.w3.org/2000/svg';

/** An element of a drawing with its attributes. */
export function made(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Whether a computed colour is seen. */
export const isPainted = (color: string): boolean => !/^rgba\(.*, 0\)$|^transparent$/.test(color);
