// A board: records in columns by state. Dragging a card changes its state: by pointer, by keyboard, on touch by its
// handle. Only columns that a transition allows accept it.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { commonMessages } from '../../messages/common.ts';
import { boardMessages } from '../../messages/views.ts';
import { Empty } from '../../parts/empty.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { say } from '../../parts/say.tsx';
import { ApiProblem } from '../../service/api.ts';
import type { FieldModel } from '../../service/model.ts';
import { labelOf, shownName } from '../../values/format.ts';
import { stageOf, stateOf } from '../shape/shapes.ts';
import type { ViewProps } from '../shape/view-props.ts';
import { BoardCards, type Card } from './board-cards.ts';
import { Column } from './column.tsx';
import { type Drag, useDrag } from './drag.ts';
import { type Stage, useStages } from './stages.ts';

/** A card that has been picked up by its handle, and the state above which it is held. */
export interface Picked {
  readonly id: string;
  readonly over: string | undefined;
}

export default function Board({ group, filters }: ViewProps): JSX.Element | null {
  const field = stateOf(group) ?? stageOf(group);
  const found = useStages(field);
  if (found instanceof ApiProblem) return <ProblemNote problem={found} />;
  if (field === undefined) return null;
  if (found === undefined) return <p class="quiet loading">{commonMessages.loading}</p>;
  return <Columns key={group.name} group={group} filters={filters} field={field} stages={found} />;
}

type ColumnsProps = ViewProps & { readonly field: FieldModel; readonly stages: readonly Stage[] };

function Columns({ group, filters, field, stages }: ColumnsProps): JSX.Element | null {
  const text = filters.toString();
  const cards = useMemo(
    () => new BoardCards({ group, field, stages }, new URLSearchParams(text)),
    [group, text, stages.length],
  );
  const root = useRef<HTMLDivElement>(null);
  const focus = useRef<string | undefined>(undefined);
  const [picked, setPicked] = useState<Picked | undefined>(undefined);
  useEffect(() => {
    cards.start();
    return () => cards.stop();
  }, [cards]);
  // Whoever has moved a card by keyboard stays with it.
  useEffect(() => {
    if (focus.current === undefined) return;
    root.current?.querySelector<HTMLElement>(`[data-card="${focus.current}"] .handle`)?.focus();
  });
  const move = (card: Card, to: string): void => {
    setPicked(undefined);
    if (to === card.state) return;
    const name = shownName(group, card.record);
    void cards.move(card, to).then((said) => {
      say(`${name}: ${said}`);
      // The focus is given back once the card stands where it stays.
      requestAnimationFrame(() => {
        focus.current = undefined;
      });
    });
  };
  const drag = useDrag(root, (id, to) => {
    const card = cards.cards.value.find((one) => one.id === id);
    if (card !== undefined && to !== undefined) move(card, to);
  });
  const all = cards.cards.value;
  const problem = cards.problem.value;
  const values = stages.map(({ id }) => id);
  const wordsFor = (id: string | undefined): string => stages.find((stage) => stage.id === id)?.text ?? '';
  if (problem !== undefined) return <ProblemNote problem={problem} onAgain={() => cards.again()} />;
  if (all.length === 0 && values.every((state) => !cards.hasMore(state))) return <Empty group={group} />;
  const held = heldCard(all, drag, picked);
  const onKey = (card: Card, event: KeyboardEvent): void => {
    const next = cards.next(card);
    const isPicked = picked?.id === card.id;
    if (event.key === 'Escape' && isPicked) {
      setPicked(undefined);
      say(boardMessages.cancelled);
    } else if ((event.key === ' ' || event.key === 'Enter') && isPicked && picked.over !== undefined) {
      focus.current = card.id;
      move(card, picked.over);
    } else if (isPicked && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      const places = values.filter((value) => next.includes(value));
      const step = event.key === 'ArrowRight' ? 1 : -1;
      const over = places[(places.indexOf(picked.over ?? '') + step + places.length) % places.length];
      setPicked({ id: card.id, over });
      say(boardMessages.above(wordsFor(over)));
    } else return;
    event.preventDefault();
  };
  const pick = (card: Card): void => {
    if (picked?.id === card.id) {
      setPicked(undefined);
      return;
    }
    const next = cards.next(card);
    const over = values.find((value) => next.includes(value));
    if (over === undefined) {
      void cards.move(card, '').then(say);
      return;
    }
    setPicked({ id: card.id, over });
    say(boardMessages.pickedUp(shownName(group, card.record), wordsFor(over)));
  };
  return (
    <div class={held === undefined ? 'board' : 'board holding'} ref={root} {...drag.handlers}>
      {stages.map(({ id: state, text: title }) => (
        <Column
          key={state}
          title={title}
          group={group}
          field={field}
          state={state}
          cards={all.filter((card) => card.state === state)}
          isLeftOut={cards.only !== undefined && cards.only !== state}
          more={cards.hasMore(state) ? () => void cards.more(state) : undefined}
          held={held}
          accepts={held !== undefined && cards.next(held).includes(state)}
          isOver={(drag.held?.over ?? picked?.over) === state}
          isPicked={picked !== undefined}
          drag={drag.held}
          onPick={pick}
          onKey={onKey}
          onDrop={(card) => move(card, state)}
        />
      ))}
      <p class="visually-hidden" id="board-help">
        {boardMessages.handleHelp(labelOf(field))}
      </p>
    </div>
  );
}

const heldCard = (all: readonly Card[], { held }: Drag, picked: Picked | undefined): Card | undefined =>
  all.find(({ id }) => id === (held?.id ?? picked?.id));
