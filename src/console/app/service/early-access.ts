// What is asked for while the script of the console is still on its way: on a slow line the rows are there a round trip sooner.

export interface EarlyAccess {
  readonly token: string;
  readonly answer: Promise<Response>;
}

/** Where the one script leaves it for the other. */
declare global {
  var praxisEarly: EarlyAccess | undefined;
}

/** The answer that was asked for with a token, once. */
export function takeEarly(token: string | undefined): Promise<Response> | undefined {
  const early = globalThis.praxisEarly;
  globalThis.praxisEarly = undefined;
  return early !== undefined && early.token === token ? early.answer : undefined;
}
