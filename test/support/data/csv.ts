// Reads CSV by RFC 4180, by a way of its own: what tests hold tables against.

/** Cells of all rows; null for nothing, which is told from an empty text in quotes. */
export function readCsv(text: string, delimiter = ','): (string | null)[][] {
  const rows: (string | null)[][] = [];
  for (let rest = text; rest !== ''; ) {
    const row: (string | null)[] = [];
    for (;;) {
      const [whole = '', quoted] = /^"((?:[^"]|"")*)"/.exec(rest) ?? /^[^\r\n,;]*/.exec(rest) ?? [];
      row.push(quoted === undefined ? whole || null : quoted.replaceAll('""', '"'));
      rest = rest.slice(whole.length);
      if (!rest.startsWith(delimiter)) break;
      rest = rest.slice(1);
    }
    if (rest !== '' && !rest.startsWith('\r\n'))
      throw new Error(`no end of a row at ${JSON.stringify(rest.slice(0, 40))}`);
    rest = rest.slice(2);
    rows.push(row);
  }
  return rows;
}

/** The same as records by the names of the first row. */
export function recordsOfCsv(text: string): Record<string, string | null>[] {
  const [names = [], ...rows] = readCsv(text);
  return rows.map((row) => Object.fromEntries(names.map((name, place) => [String(name), row[place] ?? null])));
}
