// `praxis can`: whether somebody may do something, and which rule decides.
import { readFileSync } from 'node:fs';
import { type AccessOperation, accessOperations } from '../../access/model.ts';
import { type Answer, can as answerOf, type Considered } from '../../app/access/can.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { didYouMean } from '../../text/nearest.ts';
import { isObject, readJson } from '../../values/json.ts';
import { tellFailure } from '../output/report.ts';
import { type JsonFlag, paintOut, print, printJson } from '../output/terminal.ts';

export interface CanOptions extends JsonFlag {
  /** A file with the JSON of a body. */
  readonly body?: string;
}

interface Asked {
  readonly who: string;
  readonly operation: string;
  readonly target: string;
}

/** Ends with status 0 for yes, 1 for no, and 2 for what cannot be asked. */
export async function can(config: Config, asked: Asked, options: CanOptions): Promise<void> {
  try {
    if (!(await tell(config, asked, options))) process.exitCode = 1;
  } catch (error) {
    tellFailure(error, options.json === true);
    process.exitCode = 2;
  }
}

/** @throws ConfigurationFault for what cannot be asked */
async function tell(config: Config, asked: Asked, { body, json = false }: CanOptions): Promise<boolean> {
  const operation = accessOperations.find((known) => known === asked.operation);
  if (operation === undefined)
    throw new ConfigurationFault(
      `"${asked.operation}" is not an operation${didYouMean(asked.operation, accessOperations) || `; known: ${accessOperations.join(', ')}`}`,
    );
  const answer = await answerOf(config, { ...asked, operation, body: body === undefined ? undefined : bodyIn(body) });
  if (json) printJson(answer);
  else print(textOf(answer, operation));
  return answer.allowed;
}

function bodyIn(file: string) {
  const json = readJson(readFileSync(file));
  if (!isObject(json)) throw new ConfigurationFault(`${file} does not contain a JSON object.`);
  return json;
}

function textOf(answer: Answer, operation: AccessOperation): string {
  const { allowed, by, forbiddenBy, others, because, refusal, mayDependOnChange } = answer;
  const word = allowed ? paintOut('green', 'yes') : paintOut('red', 'no');
  const hint = mayDependOnChange
    ? `\nThe answer may depend on the changes of the ${operation}; run it with --body.`
    : '';
  const unmet = others.map((rule) => `\n    ${told([rule], 'does not hold')}`).join('');
  if (refusal !== null) return `${word}: ${refusal}${unmet}`;
  if (allowed) return `${word}: ${by.length === 0 ? 'nothing restricts it' : told(by, 'allows it')}${hint}`;
  if (forbiddenBy.length > 0)
    return `${word}: ${told(forbiddenBy, 'forbids it')}${because === null ? '' : `\n${because}`}${hint}`;
  return `${word}: ${others.length === 0 ? 'no rule allows it' : told(others, 'does not hold')}`;
}

const told = (rules: readonly Considered[], what: string): string =>
  rules.map((rule) => `${rule.rule} ${what} (${rule.file}:${rule.line})${seen(rule)}`).join('\n    ');

function seen({ condition, parts }: Considered): string {
  if (condition === null) return '';
  const values = parts.flatMap((part) => Object.entries(part).map(([name, value]) => `${name} ${String(value)}`));
  return `\n    ${condition}${values.length === 0 ? '' : `   ${values.join(', ')}`}`;
}
