// Loaded before a service of tests: its clock is ahead of the machine's by the milliseconds that a file says, at any moment.
import { readFileSync } from 'node:fs';

const Machine = Date;
let aheadMs = 0;
const look = () => {
  aheadMs = Number(readFileSync(process.env['TEST_CLOCK'], 'utf8'));
};
look();
setInterval(look, 20).unref();

globalThis.Date = class extends Machine {
  constructor(...given) {
    if (given.length === 0) super(Machine.now() + aheadMs);
    else super(...given);
  }

  static now() {
    return Machine.now() + aheadMs;
  }
};
