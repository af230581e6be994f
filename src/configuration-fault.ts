/** Something the operator has set is wrong: the start stops with this one line and no stack. Never quotes a password. */
export class ConfigurationFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ConfigurationFault';
  }
}
