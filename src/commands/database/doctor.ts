// `praxis doctor`: prints each finding and its remedy, as lines or as JSON.
import { examine } from '../../doctor/doctor.ts';
import type { Finding, FindingState } from '../../doctor/finding.ts';
import { type JsonFlag, paintOut, tell } from '../output/terminal.ts';

const marks: Readonly<Record<FindingState, string>> = {
  fine: paintOut('green', '✓'),
  note: paintOut('yellow', '·'),
  act: paintOut('red', '✗'),
};

/** @returns whether no finding requires action */
export async function doctor(flags: JsonFlag): Promise<boolean> {
  const findings = await examine(process.env);
  const toDo = findings.filter(({ state }) => state === 'act').length;
  const end =
    toDo === 0 ? 'No action required.' : `${toDo} ${toDo === 1 ? 'finding requires' : 'findings require'} action.`;
  tell(flags, findings, `${findings.map(textOf).join('\n')}\n${end}`);
  return toDo === 0;
}

const textOf = ({ code, state, says, todo }: Finding): string =>
  `${marks[state]} ${code}: ${says}${todo === undefined ? '' : `\n    ${todo}`}`;
