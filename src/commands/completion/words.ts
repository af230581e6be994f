// The words of a project that completion offers.
import { catalogueKinds, catalogueOf } from '../../app/explain-group.ts';
import { registryOf } from '../../app/registry.ts';
import { harms } from '../../changes/effects.ts';
import type { Config } from '../../config.ts';
import { fieldNamed, namesIn } from '../../registry/guide/explanation.ts';
import { getKeywords } from '../../registry/guide/keywords.ts';
import type { Registry } from '../../registry/model/model.ts';
import { templateEntries } from '../descriptors/templates.ts';
import type { Word, Words } from './completion.ts';

/** @param typed The words of the command line, the last as far as it is written. */
export function wordsOf(config: () => Config, typed: readonly string[]): Words {
  /** Where descriptors have faults, or the configuration has, there is nothing to offer: the next command tells. */
  const ofRegistry = (words: (registry: Registry) => readonly Word[]) => (): readonly Word[] => {
    try {
      return words(registryOf(config()));
    } catch {
      return [];
    }
  };
  const groups = ofRegistry(groupWords);
  const switches = ofRegistry(featureWords);
  return {
    'explain what': () => {
      const word = typed.at(-1) ?? '';
      const ofGroup = word.includes('.') ? ofRegistry((registry) => fieldWords(registry, word)) : groups;
      return [...[...catalogueKinds, 'keyword'].map((kind): Word => [kind, `a ${kind} by its name`]), ...ofGroup()];
    },
    'explain name': typed.includes('keyword') ? listKeywords : ofRegistry(() => catalogueWords(config(), typed)),
    'verify group': groups,
    'try group': groups,
    'feature enable name': switches,
    'feature disable name': switches,
    'init --template': () => templateEntries,
    'check --allow': () => harms.map((harm): Word => [harm, '']),
  };
}

const listKeywords = (): readonly Word[] =>
  [...getKeywords().values()].map(({ name, uses: [first] }) => [name, first?.description ?? '']);

const groupWords = ({ resources }: Registry): readonly Word[] =>
  [...resources.values()].map(({ name, description }) => [name, description]);

function fieldWords({ resources }: Registry, word: string): readonly Word[] {
  const resource = resources.get(word.split('.', 1)[0] ?? '');
  if (resource === undefined) return [];
  return namesIn(resource).map((name) => [
    `${resource.name}.${name}`,
    fieldNamed(resource, name)?.description ?? 'A named formula',
  ]);
}

function featureWords({ resources }: Registry): readonly Word[] {
  const features = [...resources.values()].flatMap(({ feature }) => feature ?? []);
  return features.map((feature) => [feature.switch, feature.name]);
}

function catalogueWords(config: Config, typed: readonly string[]): readonly Word[] {
  const kind = catalogueKinds.find((known) => typed.includes(known));
  return kind === undefined ? [] : catalogueOf(config, kind).map(({ name, says }) => [name, says]);
}
