// Shell completion beyond commands and options: groups, fields, rules and functions of the descriptors. @bomb.sh/tab
// writes the scripts for the shells, and reads the commands from commander.
import tab, { type Command as Known } from '@bomb.sh/tab';
import addCompletion from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { unreachable } from '../../unreachable.ts';

/** A word, and what it means. */
export type Word = readonly [word: string, meaning: string];

/** Words that an argument or an option may be, by `command argument` or `command --option`. */
export type Words = Readonly<Record<string, () => Iterable<Word>>>;

/** Adds the commands `completion` and, for the shells, `complete`. @param words What is offered where a command takes one of them. */
export function addCompletions(program: Command, words: Words): void {
  addCompletion(program, { completionCommandName: 'completion' });
  const script = program.commands.find((command) => command.name() === 'completion');
  script?.description('print what a shell needs to complete this command: source <(praxis completion bash)');
  for (const [place, offered] of Object.entries(words)) {
    const target = argumentAt(place.split(' '));
    if (target === undefined) unreachable(`there is no "${place}" to complete`);
    target.handler = (complete) => {
      for (const [word, meaning] of offered()) complete(word, meaning.replaceAll(/\s+/g, ' '));
    };
  }
}

type Target = NonNullable<ReturnType<Known['arguments']['get']> | ReturnType<Known['options']['get']>>;

function argumentAt(steps: readonly string[]): Target | undefined {
  const name = steps.at(-1) ?? '';
  const command = tab.commands.get(steps.slice(0, -1).join(' '));
  return name.startsWith('--') ? command?.options.get(name.slice(2)) : command?.arguments.get(name);
}
