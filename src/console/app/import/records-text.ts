// A JSON file as the importer reads records, one a line: of an array, as this console saves it, the lines are made here. Numbers stay
// as they are written, because nothing is parsed.

/** @param text Records a line, or an array of records. */
export function recordLines(text: string): string {
  const start = text.search(/\S/);
  if (text[start] !== '[') return text;
  let [depth, isText, from] = [0, false, start + 1];
  const lines: string[] = [];
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at];
    if (isText) {
      if (letter === '\\') at += 1;
      else if (letter === '"') isText = false;
    } else if (letter === '"') isText = true;
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    const isEnd = !isText && ((letter === ',' && depth === 1) || (letter === ']' && depth === 0));
    if (!isEnd) continue;
    const line = text
      .slice(from, at)
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim();
    if (line !== '') lines.push(line);
    from = at + 1;
  }
  return lines.join('\n');
}
