// Layout of the map: a box for each area, related areas near each other, in columns. Depends on the registry alone.
import type { Resource } from '../../registry/model/model.ts';
import { areasOf, type Site } from '../site/site.ts';

interface MapNode {
  readonly resource: Resource;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}
interface MapArea {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
/** All references from one group to another, drawn as one line. */
export interface MapEdge {
  readonly from: MapNode;
  readonly to: MapNode;
  /** SVG path data. */
  readonly path: string;
}
export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly areas: readonly MapArea[];
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

export const nodeHeight = 30;
const nodeGap = 10;
/** Of the widest system font in use; narrower ones leave some room. */
const letterWidth = 8.1;
const padding = 14;
const titleHeight = 34;
const areaGap = 44;
/** Between the columns, where most lines run. */
const columnGap = 120;
/** A box with more groups than this has several columns of them. */
const longestColumn = 14;
/** Areas in a row for each in a column: screens are wider than high, and so are boxes. */
const shape = 1.8;
const mostPasses = 30;

interface Box {
  readonly area: string;
  groups: Resource[];
  readonly nodeWidth: number;
  readonly lanes: number;
  readonly width: number;
  readonly height: number;
}

/** Lays the map out. */
export function layoutMap(site: Site): MapLayout {
  const neighbours = neighboursOf(site);
  const boxes = areasOf(site.registry).map(([area, groups]) => boxOf(area, groups));
  const columns = arrange(boxes, neighbours);
  let placed = place(columns);
  // Groups of a box in the order of what they refer to; moving one box's changes what is best for the others.
  for (let pass = 0; pass < 4; pass += 1) {
    for (const box of boxes) box.groups = sorted(box.groups, placed.nodes, neighbours);
    placed = place(columns);
  }
  return { ...placed, edges: edgesOf(site, placed.nodes) };
}

type Neighbours = ReadonlyMap<string, readonly string[]>;

function neighboursOf({ registry, references }: Site): Neighbours {
  return new Map(
    [...registry.resources.keys()].map((name) => [
      name,
      [...references.of(name).map(({ to }) => to.name), ...references.to(name).map(({ from }) => from.name)],
    ]),
  );
}

function boxOf(area: string, groups: readonly Resource[]): Box {
  const letters = Math.max(...groups.map(({ title }) => title.length));
  const nodeWidth = Math.ceil(letters * letterWidth) + 24;
  const lanes = Math.ceil(groups.length / longestColumn);
  const rows = Math.ceil(groups.length / lanes);
  const inner = lanes * nodeWidth + (lanes - 1) * nodeGap;
  return {
    area,
    groups: [...groups],
    nodeWidth,
    lanes,
    width: Math.max(inner, Math.ceil(area.length * letterWidth)) + 2 * padding,
    height: titleHeight + rows * (nodeHeight + nodeGap) - nodeGap + padding,
  };
}

/** Spreads boxes over columns, then exchanges two of them while that brings neighbours closer. */
function arrange(boxes: readonly Box[], neighbours: Neighbours): Box[][] {
  const count = Math.max(1, Math.round(Math.sqrt(boxes.length * shape)));
  const columns: Box[][] = Array.from({ length: count }, () => []);
  // The highest first, each into the lowest column.
  for (const box of boxes.toSorted((one, other) => other.height - one.height))
    columns.toSorted((one, other) => heightOf(one) - heightOf(other))[0]?.push(box);
  const slots = columns.flatMap((column) => column.map((_box, index) => ({ column, index })));
  let best = lengthOf(columns, neighbours);
  for (let pass = 0; pass < mostPasses; pass += 1) {
    let isBetter = false;
    for (const [index, one] of slots.entries()) {
      for (const other of slots.slice(index + 1)) {
        swap(one, other);
        const length = lengthOf(columns, neighbours);
        if (length < best) {
          best = length;
          isBetter = true;
        } else swap(one, other);
      }
    }
    if (!isBetter) break;
  }
  return columns;
}

interface Slot {
  readonly column: Box[];
  readonly index: number;
}

function swap(one: Slot, other: Slot): void {
  const [first, second] = [one.column[one.index], other.column[other.index]];
  if (first === undefined || second === undefined) return;
  one.column[one.index] = second;
  other.column[other.index] = first;
}

const heightOf = (column: readonly Box[]): number => column.reduce((sum, { height }) => sum + height + areaGap, 0);

/** How long all lines are, from the middle of one box to that of another; uneven columns cost as well. */
function lengthOf(columns: readonly (readonly Box[])[], neighbours: Neighbours): number {
  const places = new Map<string, readonly [x: number, y: number]>();
  const highest = Math.max(...columns.map(heightOf));
  let uneven = 0;
  for (const [index, column] of columns.entries()) {
    let y = 0;
    uneven += highest - heightOf(column);
    for (const { groups, height } of column) {
      for (const { name } of groups) places.set(name, [index * 360, y + height / 2]);
      y += height + areaGap;
    }
  }
  let length = uneven * 8;
  for (const [name, others] of neighbours) {
    const [x, y] = places.get(name) ?? [0, 0];
    for (const other of others) {
      const [otherX, otherY] = places.get(other) ?? [0, 0];
      length += Math.abs(x - otherX) + Math.abs(y - otherY);
    }
  }
  return length;
}

function place(columns: readonly (readonly Box[])[]): Omit<MapLayout, 'edges'> {
  const areas: MapArea[] = [];
  const nodes: MapNode[] = [];
  const highest = Math.max(...columns.map(heightOf)) - areaGap;
  let x = padding;
  for (const column of columns) {
    const width = Math.max(...column.map((box) => box.width));
    // A lower column stands in the middle.
    let y = padding + (highest - heightOf(column) + areaGap) / 2;
    for (const box of column) {
      const left = x + (width - box.width) / 2;
      areas.push({ title: box.area, x: left, y, width: box.width, height: box.height });
      const rows = Math.ceil(box.groups.length / box.lanes);
      for (const [index, resource] of box.groups.entries()) {
        nodes.push({
          resource,
          x: left + padding + Math.floor(index / rows) * (box.nodeWidth + nodeGap),
          y: y + titleHeight + (index % rows) * (nodeHeight + nodeGap),
          width: box.lanes === 1 ? box.width - 2 * padding : box.nodeWidth,
        });
      }
      y += box.height + areaGap;
    }
    x += width + columnGap;
  }
  // Lines around the right side of the last column want room as well.
  return { width: x - columnGap / 2, height: highest + 2 * padding, areas, nodes };
}

/** By the mean height of the neighbours; groups without any keep to the end. */
function sorted(groups: readonly Resource[], nodes: readonly MapNode[], neighbours: Neighbours): Resource[] {
  const heights = new Map(nodes.map(({ resource, y }) => [resource.name, y]));
  const mean = ({ name }: Resource): number => {
    const others = (neighbours.get(name) ?? []).map((other) => heights.get(other) ?? 0);
    return others.length === 0 ? Number.MAX_VALUE : others.reduce((sum, y) => sum + y, 0) / others.length;
  };
  return groups.toSorted((one, other) => mean(one) - mean(other));
}

function edgesOf({ references }: Site, nodes: readonly MapNode[]): MapEdge[] {
  const byName = new Map(nodes.map((node) => [node.resource.name, node]));
  return nodes.flatMap((from) => {
    const targets = new Set(references.of(from.resource.name).map(({ to }) => to.name));
    return [...targets].flatMap((name): MapEdge[] => {
      const to = byName.get(name);
      return to === undefined ? [] : [{ from, to, path: pathOf(from, to) }];
    });
  });
}

const half = nodeHeight / 2;

/** A curve that leaves and arrives level; groups above one another are joined around the right side. */
function pathOf(from: MapNode, to: MapNode): string {
  const [startY, endY] = [from.y + half, to.y + half];
  if (from === to) {
    const right = from.x + from.width;
    return `M${right} ${startY - 6}c26 -12 26 24 0 12`;
  }
  if (from.x + from.width < to.x) return curve([from.x + from.width, startY], [to.x, endY]);
  if (to.x + to.width < from.x) return curve([from.x, startY], [to.x + to.width, endY]);
  const [start, end] = [from.x + from.width, to.x + to.width];
  const out = Math.max(start, end) + 24 + Math.min(50, Math.abs(endY - startY) / 8);
  return `M${start} ${startY}C${out} ${startY} ${out} ${endY} ${end} ${endY}`;
}

type Point = readonly [x: number, y: number];

function curve([startX, startY]: Point, [endX, endY]: Point): string {
  const middle = (startX + endX) / 2;
  return `M${startX} ${startY}C${middle} ${startY} ${middle} ${endY} ${endX} ${endY}`;
}
