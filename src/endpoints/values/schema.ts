// JSON Schema 2020-12, as plain data.

export type Schema = Readonly<Record<string, unknown>>;

export const withoutUndefined = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
