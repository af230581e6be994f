// Hook: the failed conditions of a draft, checked at every change.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { GroupConditions } from '../../../conditions.ts';
import type { Draft } from '../../controls/draft.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { conditionsOf } from './conditions.ts';
import type { Judgement } from './judge.ts';

interface Written {
  readonly group: GroupModel;
  readonly stored: Draft | undefined;
  readonly draft: Draft;
  readonly changed: readonly FieldModel[];
}

/** Of a group without conditions, and of one whose conditions are not read yet. */
export const nothing: Judgement = {
  unapplied: new Map(),
  made: new Map(),
  deciding: new Set(),
  hangsOn: new Map(),
  required: new Map(),
  first: new Set(),
  defaults: new Map(),
  faults: new Map(),
  refusedStates: new Map(),
  locked: new Map(),
  lockedWhole: undefined,
  lockedDelete: undefined,
};

interface Judge {
  readonly judge: typeof import('./judge.ts').judge;
  readonly conditions: GroupConditions;
}

/** What the conditions of the group say of a draft; undefined until they are read. */
export function useJudgement({ group, stored, draft, changed }: Written): Judgement | undefined {
  const [loaded, setLoaded] = useState<Judge | undefined>(undefined);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isOver = false;
    if (group.hasConditions)
      void Promise.all([import('./judge.ts'), conditionsOf(group)]).then(([{ judge, forgetRecords }, conditions]) => {
        if (isOver) return;
        forgetRecords();
        setLoaded({ judge, conditions });
      });
    return () => {
      isOver = true;
    };
  }, [group]);
  return useMemo(() => {
    if (loaded === undefined) return group.hasConditions ? undefined : nothing;
    return loaded.judge({
      group,
      conditions: loaded.conditions,
      stored,
      draft,
      changed: new Set(changed.map(({ key }) => key)),
      onRead: () => setRound((before) => before + 1),
    });
  }, [loaded, stored, draft, round]);
}
