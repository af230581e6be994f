// What the plan asks of a workspace. Small enough for a client of the HTTP API to stand in for the engine.

/** A body as the API takes it. */
export type Body = Readonly<Record<string, unknown>>;
export type Shown = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Records {
  /** Creates a record; `by` is the member who does it. */
  make(group: string, body: Body, by?: string): Promise<{ readonly id: string }>;
  /** Updates a record. @param id Empty for a single record. */
  change(group: string, id: string, body: Body, by?: string): Promise<void>;
  read(group: string, id: string): Promise<Shown>;
  /** The oldest record whose fields equal these. @throws Error when there is none. */
  find(group: string, where: Readonly<Record<string, string>>): Promise<{ readonly id: string }>;
}

/** A record that is planned. Its id is there once it has been made. */
export class Planned {
  #id: string | undefined;

  /** @throws Error when the plan uses a record before it makes it. */
  get id(): string {
    if (this.#id === undefined) throw new Error('the plan uses a record that is not made yet');
    return this.#id;
  }

  set id(id: string) {
    this.#id = id;
  }
}
