// A column of a board: a state and its cards.
import type { JSX } from 'preact';
import { recordAddress } from '../../browser/router.ts';
import { commonMessages } from '../../messages/common.ts';
import { boardMessages } from '../../messages/views.ts';
import type { Shown } from '../../service/api.ts';
import { can, type FieldModel, type GroupModel } from '../../service/model.ts';
import { countText, dateText, isUnset, labelOf, shownName } from '../../values/format.ts';
import { State, Value } from '../../values/value.tsx';
import { panelsOf } from '../picture/sums.ts';
import { inUnit, sumText, unitOf } from '../picture/values.ts';
import { daysOf, firstMeasure, splitsOf } from '../shape/shapes.ts';
import type { Card } from './board-cards.ts';
import type { Held } from './drag.ts';

interface ColumnProps {
  readonly group: GroupModel;
  readonly field: FieldModel;
  readonly state: string;
  /** The words of the state. */
  readonly title: string;
  readonly cards: readonly Card[];
  /** By the filters. */
  readonly isLeftOut: boolean;
  readonly more: (() => void) | undefined;
  /** The card that is on its way. */
  readonly held: Card | undefined;
  readonly accepts: boolean;
  readonly isOver: boolean;
  /** Whether the card is held by its handle, not by a pointer. */
  readonly isPicked: boolean;
  readonly drag: Held | undefined;
  readonly onPick: (card: Card) => void;
  readonly onKey: (card: Card, event: KeyboardEvent) => void;
  readonly onDrop: (card: Card) => void;
}

export function Column(props: ColumnProps): JSX.Element {
  const { group, field, state, title, cards, isLeftOut, more, held, accepts, isOver, isPicked, drag } = props;
  const count = `${countText(cards.length)}${more === undefined ? '' : '+'}`;
  const isFrom = held?.state === state;
  const look = held === undefined || isFrom ? '' : accepts ? ' accepts' : ' refuses';
  return (
    <section
      class={`board-column${look}${isOver && accepts ? ' over' : ''}`}
      data-state={state}
      aria-label={`${title}: ${count}`}
    >
      <header>
        <h2>
          {field.kind === 'enum' ? <State field={field} value={state} /> : title}
          <span class="quiet number"> {isLeftOut ? '' : count}</span>
        </h2>
      </header>
      {more === undefined && <ColumnSum group={group} cards={cards} />}
      {isPicked && accepts && held !== undefined && (
        <button type="button" class="drop-here" onClick={() => props.onDrop(held)}>
          {boardMessages.moveHere}
        </button>
      )}
      <ul tabIndex={cards.length > 0 ? 0 : undefined} aria-label={boardMessages.cardsIn(title)}>
        {cards.map((card) => (
          <CardItem
            key={card.id}
            group={group}
            card={card}
            drag={drag?.id === card.id ? drag : undefined}
            isPicked={isPicked && held?.id === card.id}
            onPick={() => props.onPick(card)}
            onKey={(event) => props.onKey(card, event)}
          />
        ))}
        {cards.length === 0 && (
          <li class="quiet none">{isLeftOut ? boardMessages.filteredOut : commonMessages.none}</li>
        )}
        {more !== undefined && cards.length > 0 && (
          <li>
            <button type="button" class="bare" onClick={more}>
              {commonMessages.showMore}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** What all cards of a column come to; of a part of them it would say nothing. */
function ColumnSum({ group, cards }: Pick<ColumnProps, 'group' | 'cards'>): JSX.Element | null {
  const [measure, [day]] = [firstMeasure(group), daysOf(group)];
  if (measure === undefined || day === undefined || cards.length === 0) return null;
  const question = { group, day, measure, split: undefined, slots: [''], slotOf: () => '' };
  const panels = panelsOf(
    question,
    cards.map(({ record }) => record),
  );
  const text = panels.map(({ unit, totals: [total = 0] }) => sumText(measure, unit, total)).join(' · ');
  return (
    <p class="column-sum quiet number" title={`${labelOf(measure)}: ${text}`}>
      {text}
    </p>
  );
}

interface CardProps {
  readonly group: GroupModel;
  readonly card: Card;
  readonly drag: Held | undefined;
  readonly isPicked: boolean;
  readonly onPick: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

/** What a card says besides its name: whom it belongs to, how much it is, and its day. */
function CardLines({ group, record }: { readonly group: GroupModel; readonly record: Shown }): JSX.Element {
  const inName = group.shownAs.flatMap((part) =>
    part.kind === 'value' ? part.paths.map((path) => path.split('.')[0]) : [],
  );
  const isTold = ({ name }: FieldModel): boolean => !isUnset(record[name]) && !inName.includes(name);
  const [reference] = splitsOf(group).filter((field) => field.kind === 'reference' && isTold(field));
  const [measure, day] = [firstMeasure(group), daysOf(group).find(isTold)];
  const value = measure === undefined ? undefined : record[measure.name];
  return (
    <>
      {reference !== undefined && (
        <div class="card-line" title={labelOf(reference)}>
          <Value field={reference} value={record[reference.name]} around={[record]} isBrief />
        </div>
      )}
      <div class="card-line">
        {measure !== undefined && typeof value === 'number' && (
          <span class="number" title={labelOf(measure)}>
            {sumText(measure, unitOf(group, measure, record) ?? '', inUnit(measure, value))}
          </span>
        )}
        {day !== undefined && <span title={labelOf(day)}>{dateText(String(record[day.name]))}</span>}
      </div>
    </>
  );
}

function CardItem({ group, card, drag, isPicked, onPick, onKey }: CardProps): JSX.Element {
  const { id, record, isMoving, refusal } = card;
  const name = shownName(group, record);
  const look = `card${drag === undefined ? '' : ' dragged'}${isPicked ? ' picked' : ''}${isMoving ? ' moving' : ''}`;
  return (
    <li
      class={look}
      data-card={id}
      aria-busy={isMoving}
      style={drag === undefined ? undefined : { transform: `translate(${drag.x}px, ${drag.y}px)` }}
    >
      <div class="card-head">
        {can(group, 'get') ? (
          <a class="name" href={recordAddress(group.path, id)} draggable={false}>
            {name}
          </a>
        ) : (
          <span class="name">{name}</span>
        )}
        <button
          type="button"
          class="handle"
          aria-label={boardMessages.move(name)}
          aria-pressed={isPicked}
          aria-describedby="board-help"
          onClick={onPick}
          onKeyDown={onKey}
        >
          ⠿
        </button>
      </div>
      <CardLines group={group} record={record} />
      {refusal !== undefined && <p class="refusal">{refusal}</p>}
    </li>
  );
}
