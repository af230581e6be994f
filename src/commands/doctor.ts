// Prints what was found of a service, and what to do about it: a line each, or JSON.
import { examine } from '../doctor/doctor.ts';
import type { Finding, FindingState } from '../doctor/finding.ts';

const marks: Readonly<Record<FindingState, string>> = { fine: '✓', note: '·', act: '✗' };

/** @returns whether nothing must be done */
export async function doctor({ json = false }: { readonly json?: boolean }): Promise<boolean> {
  const findings = await examine(process.env);
  const toDo = findings.filter(({ state }) => state === 'act').length;
  const end = toDo === 0 ? 'Nothing must be done.' : `${toDo} ${toDo === 1 ? 'thing' : 'things'} to be done.`;
  process.stdout.write(
    json ? `${JSON.stringify(findings, null, 2)}\n` : `${findings.map(textOf).join('\n')}\n${end}\n`,
  );
  return toDo === 0;
}

const textOf = ({ code, state, says, todo }: Finding): string =>
  `${marks[state]} ${code}: ${says}${todo === undefined ? '' : `\n    ${todo}`}`;
