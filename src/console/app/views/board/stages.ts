// The columns of a board: the values of a state, or the records of a group with an order.
import { useEffect, useState } from 'preact/hooks';
import { type ApiProblem, asProblem, list, pageSize } from '../../service/api.ts';
import { type FieldModel, groups } from '../../service/model.ts';
import { shownName, wordsOf } from '../../values/format.ts';
import { noteName } from '../../values/names.ts';
import { inOrder } from '../shape/shapes.ts';

/** A column: what cards in it have, and its name. */
export interface Stage {
  readonly id: string;
  readonly text: string;
}

/** Undefined until they are known. */
export function useStages(field: FieldModel | undefined): readonly Stage[] | ApiProblem | undefined {
  const [read, setRead] = useState<readonly Stage[] | ApiProblem | undefined>(undefined);
  const target = field?.kind === 'reference' ? groups().named(field.target ?? '') : undefined;
  useEffect(() => {
    if (target === undefined) return;
    list(target.path, new URLSearchParams({ limit: String(pageSize) })).then(
      ({ results }) =>
        setRead(
          inOrder(target, results).map((record) => {
            const [id, text] = [String(record.id), shownName(target, record)];
            noteName(target.name, id, text);
            return { id, text };
          }),
        ),
      (error: unknown) => setRead(asProblem(error)),
    );
  }, [target]);
  if (field === undefined) return undefined;
  return target === undefined ? (field.values ?? []).map((id) => ({ id, text: wordsOf(id) })) : read;
}
