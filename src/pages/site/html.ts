// HTML as a value: what is put into a template is escaped, unless it is HTML already.

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);

const textOf = (content: Content): string => {
  if (content === undefined) return '';
  if (content instanceof Html) return content.text;
  return typeof content === 'string' || typeof content === 'number'
    ? escaped(String(content))
    : content.map(textOf).join('');
};

/** Template tag. Attribute values must stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(strings.map((text, index) => text + textOf(values[index])).join(''));
}

/** Content with something between the pieces. */
export const joined = (pieces: readonly Content[], between: Content): Content =>
  pieces.map((piece, index) => (index === 0 ? piece : [between, piece]));

/** Content of one page for another: its links to places of the page lead to those of the first. */
export const seenFrom = (content: Content, address: string): Html =>
  new Html(textOf(content).replaceAll('href="#', `href="${address}#`));

/** The text alone, for places that take no markup. */
export const plainText = (content: Content): string =>
  textOf(content)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(
      /&(?:amp|lt|gt|quot|#39);/g,
      (entity) => Object.keys(entities).find((key) => entities[key] === entity) ?? '',
    );

/** Text of a descriptor, in which names stand between backticks. */
export const prose = (text: string): Content =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
