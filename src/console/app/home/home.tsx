// The home page: for each area a tile, and all of its groups.
import type { ComponentType, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { groupAddress } from '../browser/router.ts';
import { commonMessages } from '../messages/common.ts';
import { homeMessages } from '../messages/home.ts';
import { type GroupModel, groups } from '../service/model.ts';
import { Skeleton } from './skeleton.tsx';
import { type TileChoice, tilesOf } from './tile-choice.ts';

export function Home(): JSX.Element {
  const [counts, setCounts] = useState<Readonly<Record<string, boolean>>>({});
  useEffect(() => {
    document.title = commonMessages.product;
  }, []);
  const told = Object.values(counts);
  return (
    <section class="home" aria-labelledby="title">
      <h1 id="title">{homeMessages.title}</h1>
      {told.length > 2 && told.every((isEmpty) => isEmpty) && <Offer />}
      {groups()
        .areas()
        .map(([area, members]) => (
          <Area
            key={area}
            area={area}
            members={members}
            told={counts}
            onTold={(name, isEmpty) => setCounts((before) => ({ ...before, [name]: isEmpty }))}
          />
        ))}
    </section>
  );
}

/** Of a workspace without records. */
const Offer = (): JSX.Element => (
  <p class="home-offer">
    {homeMessages.offer[0]} <code>{commonMessages.demoCommand}</code> {homeMessages.offer[1]}
  </p>
);

interface AreaProps {
  readonly area: string;
  readonly members: readonly GroupModel[];
  /** Whether groups that have been asked for are empty. */
  readonly told: Readonly<Record<string, boolean>>;
  readonly onTold: (name: string, isEmpty: boolean) => void;
}

function Area({ area, members, told, onTold }: AreaProps): JSX.Element {
  const choices = tilesOf(members);
  // An empty group has nothing more to show in a second tile.
  const shown = choices.filter(
    ({ group }, index) => told[group.name] !== true || choices.findIndex((one) => one.group === group) === index,
  );
  return (
    <section class="home-area" aria-label={area}>
      <h2>{area}</h2>
      <div class="tiles">
        {shown.map((choice) => (
          <LazyTile
            key={`${choice.group.name}.${choice.kind}`}
            choice={choice}
            onTold={(isEmpty) => onTold(choice.group.name, isEmpty)}
          />
        ))}
      </div>
      <ul class="home-groups" aria-label={homeMessages.groupsOf(area)}>
        {members.map(({ name, path, isSingle, title, plural, description }) => (
          <li key={name}>
            <a href={groupAddress(path)} title={description}>
              {isSingle ? title : plural}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TileProps {
  readonly choice: TileChoice;
  readonly onTold: (isEmpty: boolean) => void;
}

/** A tile asks for nothing before it is seen. */
function LazyTile(props: TileProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const [Tile, setTile] = useState<ComponentType<TileProps> | undefined>(undefined);
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        seen.disconnect();
        void import('./tile.tsx').then(({ default: component }) => setTile(() => component));
      },
      { rootMargin: '120px' },
    );
    seen.observe(element);
    return () => seen.disconnect();
  }, []);
  return (
    <div class="tile" ref={root}>
      {Tile === undefined ? <Skeleton title={props.choice.group.plural} /> : <Tile {...props} />}
    </div>
  );
}
