// Markdown of guides → HTML: raw HTML is escaped, headings get anchors, links are resolved by the caller.
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { Html, html, plainText } from './html.ts';

export interface Section {
  /** 1 is the title of the whole text. */
  readonly level: number;
  /** The anchor, as GitHub makes it: `what-a-page-reads`. */
  readonly id: string;
  readonly heading: Html;
  /** Up to the next heading. */
  readonly content: Html;
}

/** Deeper headings stand within their section. */
const deepestSection = 3;
/** Tables of so many columns become blocks on narrow screens; wider ones are scrolled. */
const mostStackedColumns = 3;

/**
 * Reads a text section by section; it begins with its title.
 * @param addressOf Where a link of the text leads: `./computed-fields.md#computed-lists`.
 */
export function sectionsOf(text: string, addressOf: (link: string) => string): readonly Section[] {
  const marked = new Marked({ gfm: true, renderer: rendererWith(addressOf) });
  const known = new Set<string>();
  const sections: { heading: Tokens.Heading; tokens: Token[] }[] = [];
  for (const token of marked.lexer(text)) {
    if (isHeading(token)) sections.push({ heading: token, tokens: [] });
    else sections.at(-1)?.tokens.push(token);
  }
  return sections.map(({ heading, tokens }) => {
    const words = new Html(marked.Parser.parseInline(heading.tokens, marked.defaults));
    return Object.freeze({
      level: heading.depth,
      id: anchorOf(plainText(words), known),
      heading: words,
      content: new Html(marked.parser(tokens)),
    });
  });
}

const isHeading = (token: Token): token is Tokens.Heading =>
  token.type === 'heading' && (token as Tokens.Heading).depth <= deepestSection;

/** `What a page reads` → `what-a-page-reads`; what is there already gets a number. */
function anchorOf(heading: string, known: Set<string>): string {
  const bare = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  let anchor = bare;
  for (let nth = 1; known.has(anchor); nth += 1) anchor = `${bare}-${nth}`;
  known.add(anchor);
  return anchor;
}

const rendererWith = (addressOf: (link: string) => string): RendererObject => ({
  html: ({ text }) => html`${text}`.text,
  link({ href, tokens }) {
    return html`<a href="${addressOf(href)}">${new Html(this.parser.parseInline(tokens))}</a>`.text;
  },
  // Wide code is scrolled, by keyboard too.
  code: ({ text, lang }) => html`<pre tabindex="0"><code data-language="${lang ?? ''}">${text}</code></pre>\n`.text,
  table({ header, rows }) {
    const inside = ({ tokens }: Tokens.TableCell): Html => new Html(this.parser.parseInline(tokens));
    const labels = header.map((cell) => plainText(inside(cell)));
    return tableOf({ labels, header, rows, inside }).text;
  },
});

interface Table {
  readonly labels: readonly string[];
  readonly header: readonly Tokens.TableCell[];
  readonly rows: readonly (readonly Tokens.TableCell[])[];
  readonly inside: (cell: Tokens.TableCell) => Html;
}

function tableOf({ labels, header, rows, inside }: Table): Html {
  const isStacked = header.length <= mostStackedColumns;
  const numberOf = ({ align }: Tokens.TableCell): Html | undefined =>
    align === 'right' ? html` class="number"` : undefined;
  const labelOf = (nth: number): Html | undefined =>
    isStacked && labels[nth] ? html` data-label="${labels[nth]}"` : undefined;
  const head = header.map((cell) =>
    cell.text === '' ? html`<td></td>` : html`<th scope="col"${numberOf(cell)}>${inside(cell)}</th>`,
  );
  const body = rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, nth) =>
        nth === 0 && cell.text !== ''
          ? html`<th scope="row">${inside(cell)}</th>`
          : html`<td${labelOf(nth)}${numberOf(cell)}>${inside(cell)}</td>`,
      )}</tr>\n`,
  );
  const heads = labels.every((label) => label === '') ? undefined : html`<thead><tr>${head}</tr></thead>\n`;
  return html`<div class="scroll" tabindex="0"><table${isStacked ? html` class="stack"` : undefined}>${heads}<tbody>
${body}</tbody></table></div>\n`;
}
