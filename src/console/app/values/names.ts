// Names of records that are known by id alone: requested once and cached.
import { signal } from '@preact/signals';
import { get, type Shown } from '../service/api.ts';
import { can, groups } from '../service/model.ts';
import { shownName } from './format.ts';

const known = new Map<string, string>();
const asked = new Set<string>();
const count = signal(0);

/** Notes the name of a record that has been seen. */
export function noteName(group: string, id: string, name: string): void {
  const key = `${group}/${id}`;
  if (known.get(key) === name) return;
  known.set(key, name);
  if (asked.has(key)) count.value += 1;
}

/** The name of a record; undefined until it is known. Components that ask are shown again then. */
export function nameOf(name: string, id: string): string | undefined {
  const key = `${name}/${id}`;
  // Whoever reads it is told of the next.
  count.value;
  const group = groups().named(name);
  if (!known.has(key) && !asked.has(key) && group !== undefined && can(group, 'get')) {
    asked.add(key);
    get(group.path, id).then(
      ({ record }) => noteName(name, id, shownName(group, record)),
      () => noteName(name, id, id),
    );
  }
  return known.get(key);
}

/** What a list of choices shows of a record, and notes. */
export function choiceOf(name: string, record: Shown): { readonly id: string; readonly name: string } {
  const group = groups().named(name);
  const id = String(record.id ?? '');
  const text = group === undefined ? id : shownName(group, record);
  noteName(name, id, text);
  return { id, name: text };
}
