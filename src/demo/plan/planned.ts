import { unreachable } from '../../unreachable.ts';

/** A record that is planned. Its id is there once it has been made. */
export class Planned {
  #id: string | undefined;

  /** @throws Error when the plan uses a record before it makes it. */
  get id(): string {
    if (this.#id === undefined) unreachable('the plan uses a record that is not made yet');
    return this.#id;
  }

  set id(id: string) {
    this.#id = id;
  }
}
