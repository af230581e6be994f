// Prints descriptor faults: for people with the source line and a mark below the place, for programs as JSON.
import { type Fault, saidOf } from '../../registry/model/faults.ts';
import { counted } from './counted.ts';
import type { Paint } from './terminal.ts';

/** All faults, and how many there are. The first line of each is as compilers write theirs: editors find the place by it. */
export function faultsText(faults: readonly Fault[], paint: Paint): string {
  const files = new Set(faults.map(({ file }) => file)).size;
  const count = `${counted(faults.length, 'fault')} in ${counted(files, 'file')}`;
  return [...faults.map((fault) => faultText(fault, paint)), paint(['bold', 'red'], count)].join('\n');
}

function faultText(fault: Fault, paint: Paint): string {
  const { file, line, column, pointer } = fault;
  const { message, hint, excerpt } = saidOf(fault);
  const [, shown, mark] = excerpt.split('\n');
  return [
    `${paint('bold', `${file}:${line}:${column}`)} ${paint('dim', `${pointer || '/'}:`)} ${paint('red', message)}${hint === undefined ? '' : `; ${paint('green', hint)}`}`,
    ...(shown === undefined || mark === undefined ? [] : [shown, paint('red', mark)]),
  ].join('\n');
}

/** `rule` is a code that keeps its meaning; `hint` is null where there is nothing more to say. */
export const faultData = (fault: Fault): object => {
  const { file, line, column, pointer, rule } = fault;
  const { message, hint = null } = saidOf(fault);
  return { file, line, column, pointer, rule, message, hint };
};
