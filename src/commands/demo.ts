// Fills a workspace with believable records: progress on standard error, what was made on standard output.

import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { fillWorkspace, type Made, type Progress } from '../demo/demo.ts';
import { memoryUrl } from '../storage/database.ts';
import { isDate } from '../values/date.ts';

export interface DemoArguments {
  readonly until: string;
  readonly months: string;
  readonly scale: string;
}

/** @throws ConfigurationFault for wrong arguments, and for a workspace that is not empty. */
export async function demo(config: Config, { until, months, scale }: DemoArguments): Promise<void> {
  if (config.databaseUrl === memoryUrl)
    throw new ConfigurationFault(`Records in ${memoryUrl} would end with this command; set DATABASE_URL.`);
  const options = {
    until: readDay(until),
    months: readNumber('--months', months, 60),
    scale: readNumber('--scale', scale, 1000),
  };
  const started = performance.now();
  const progress = process.stderr.isTTY ? bar() : lines();
  const made = await fillWorkspace(config, options, progress.show).finally(progress.end);
  process.stdout.write(summary(made, (performance.now() - started) / 1000));
  process.stdout.write(whatNext(options.until));
}

const earliest = '1990-01-01';
const latest = '2090-12-31';

function readDay(text: string): string {
  const day = text === 'today' ? new Date().toISOString().slice(0, 10) : text;
  if (isDate(day) && day >= earliest && day <= latest) return day;
  throw new ConfigurationFault(
    `--until must be a day (2026-09-30) from ${earliest} to ${latest}, or 'today', not '${text}'.`,
  );
}

function readNumber(name: string, text: string, most: number): number {
  const number = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new ConfigurationFault(`${name} must be a whole number from 1 to ${most}, not '${text}'.`);
}

interface Display {
  readonly show: (progress: Progress) => void;
  readonly end: () => void;
}

const barWidth = 30;

/** One line that is written over and over. A few characters need no package. */
function bar(): Display {
  return {
    show: ({ day, done, records }) => {
      const full = Math.round(Math.min(1, done) * barWidth);
      const drawn = '█'.repeat(full) + '░'.repeat(barWidth - full);
      process.stderr.write(`\r${drawn} ${percent(done)}  ${day}  ${grouped(records)} records `);
    },
    end: () => void process.stderr.write('\r\u001b[K'),
  };
}

/** A line for each tenth of the way, for logs. */
function lines(): Display {
  let told = 0;
  return {
    show: ({ day, done, records }) => {
      if (done < told) return;
      told = Math.floor(done * 10 + 1) / 10;
      process.stderr.write(`${percent(done)}  ${day}  ${grouped(records)} records\n`);
    },
    end: () => undefined,
  };
}

const percent = (done: number): string => `${Math.min(100, Math.floor(done * 100))} %`.padStart(5);
const grouped = (count: number): string => count.toLocaleString('en-US');

const most = 2;

/** A line for each area, with the groups of which it has most. */
function summary(made: Made, seconds: number): string {
  const areas = Map.groupBy(made, ([{ area }]) => area);
  const text = [...areas].map(([area, groups]) => {
    const total = grouped(groups.reduce((sum, [, count]) => sum + count, 0));
    const first = groups.toSorted(([, one], [, other]) => other - one).slice(0, most);
    const words = first.map(([{ path }, count]) => `${path.slice(1)} ${grouped(count)}`);
    return `${area.padEnd(26)}${total.padStart(8)}  ${words.join(', ')}${groups.length > most ? ', …' : ''}`;
  });
  const total = [...made.values()].reduce((sum, count) => sum + count, 0);
  return `${text.join('\n')}

${grouped(total)} records in ${seconds.toFixed(1)} seconds, ${grouped(Math.round(total / seconds))} a second.
`;
}

const whatNext = (until: string): string => `
Next: npm start, and with its token

  curl -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:3000/api/projects?statusId=in_progress"
  curl -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:3000/api/invoices?statusId=issued&limit=3"
  curl -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:3000/api/time-entries?dateOnAfter=${until.slice(0, 8)}01"
`;
