// Turns features of the workspace on and off, as the service itself: the settings are read under lock, so that no other change of
// the features is lost.
import { textsOf } from '../facts/record-values.ts';
import type { BodyInput } from '../request/intent.ts';
import type { Done } from './in-portions.ts';
import type { Group } from './plan/groups.ts';
import type { Scope } from './transaction/scope.ts';
import { perform, updateRecord } from './write/write.ts';

interface Switching {
  /** Of the settings. */
  readonly group: Group;
  /** Key of the list of features that are on. */
  readonly features: string;
  readonly name: string;
  readonly isOn: boolean;
}

export async function switchFeature(scope: Scope, { group, features, name, isOn }: Switching): Promise<Done<boolean>> {
  const settings = await group.rows.find(scope.session, '', { lock: 'own' });
  const others = textsOf(settings ?? {}, features).filter((feature) => feature !== name);
  const body: BodyInput = { values: { [features]: isOn ? [...others, name] : others } };
  await perform(scope, () => updateRecord(scope, { group, id: '', input: body }));
  await scope.done();
  return { changes: scope.changes, outcome: true };
}
