// All groups by area; the current area is open.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { keep, kept } from '../browser/kept.ts';
import { isMenuOpen } from '../browser/layout.ts';
import { groupAddress, newsAddress, newsStep, steps } from '../browser/router.ts';
import { frameMessages } from '../messages/frame.ts';
import { type GroupModel, groups } from '../service/model.ts';

const place = 'areas';

export function Sidebar(): JSX.Element {
  const [open, setOpen] = useState<Readonly<Record<string, boolean>>>(kept(place) ?? {});
  const current = groups().at(steps.value[0] ?? '');
  const toggle = (area: string, isOpen: boolean): void => {
    const next = { ...open, [area]: isOpen };
    setOpen(next);
    keep(place, next);
  };
  const areas = groups().areas();
  return (
    <nav class="sidebar" aria-label={frameMessages.groups}>
      {groups().isFollowed && (
        <a
          class="sidebar-news"
          href={newsAddress}
          aria-current={steps.value[0] === newsStep ? 'page' : undefined}
          onClick={() => {
            isMenuOpen.value = false;
          }}
        >
          {frameMessages.news}
        </a>
      )}
      {areas.map(([area, members]) => {
        const isOpen = open[area] ?? (areas.length < 4 || members.some(({ name }) => name === current?.name));
        return (
          <details
            key={area}
            open={isOpen}
            onToggle={({ currentTarget }) => currentTarget.open !== isOpen && toggle(area, currentTarget.open)}
          >
            <summary>{area}</summary>
            <ul>
              {members.map((group) => (
                <Entry key={group.name} group={group} isCurrent={group.name === current?.name} />
              ))}
            </ul>
          </details>
        );
      })}
    </nav>
  );
}

function Entry({ group, isCurrent }: { readonly group: GroupModel; readonly isCurrent: boolean }): JSX.Element {
  return (
    <li>
      <a
        href={groupAddress(group.path)}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => {
          isMenuOpen.value = false;
        }}
      >
        {group.isSingle ? group.title : group.plural}
      </a>
    </li>
  );
}
