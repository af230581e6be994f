// The ways to look at the records of a group, chosen by its shape. Each is a file of its own, loaded when it is first shown:
// add a row, and a module whose `default` is a component that takes `ViewProps`.
import type { ComponentType } from 'preact';
import { viewMessages } from '../messages/views.ts';
import type { GroupModel } from '../service/model.ts';
import { calendarDay, daysOf, spansOf, stageOf, stateOf } from './shape/shapes.ts';
import type { ViewProps } from './shape/view-props.ts';

export interface View {
  /** In the address: `_view=board`. */
  readonly key: string;
  readonly title: string;
  /** Whether the shape of a group is one that it can show. */
  fits(group: GroupModel): boolean;
  load(): Promise<{ readonly default: ComponentType<ViewProps> }>;
}

/** Besides the grid, which every group with a list has. */
const views: readonly View[] = [
  {
    key: 'board',
    title: viewMessages.board,
    fits: (group) => (stateOf(group) ?? stageOf(group)) !== undefined,
    load: () => import('./board/board.tsx'),
  },
  {
    key: 'timeline',
    title: viewMessages.timeline,
    fits: (group) => spansOf(group).length > 0,
    load: () => import('./timeline/timeline-view.tsx'),
  },
  {
    key: 'calendar',
    title: viewMessages.calendar,
    fits: (group) => calendarDay(group) !== undefined,
    load: () => import('./calendar/calendar.tsx'),
  },
  {
    key: 'chart',
    title: viewMessages.chart,
    fits: (group) => daysOf(group).length > 0,
    load: () => import('./chart/chart-view.tsx'),
  },
];

export const viewsOf = (group: GroupModel): readonly View[] => views.filter((view) => view.fits(group));
