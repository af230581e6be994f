// What one write asks of the database where its record has few siblings, and where it has very many: `npm run bench -- --growth`.
import { type Deed, Ground, type Measured, operations, type Site } from '../figures/growth/ground.ts';
import { descriptorsOf, type Shape, shapes } from '../figures/growth/shapes.ts';
import { floors, type Tower, towers, tree } from '../figures/growth/towers.ts';
import { openCounter, type RowCounter } from '../support/databases/rows-read.ts';
import { type Cell, printTable } from './report.ts';

interface GrowthOptions {
  readonly databaseUrl: string;
  /** As the table is called. */
  readonly label: string;
  readonly sizes: readonly number[];
  /** Shapes with this in their names. */
  readonly only: string;
  readonly say: (text: string) => void;
}

const heads = ['shape', 'deed', 'statements', 'rows to us', 'rows scanned', 'cpu ms', 'ms', ''];

/** Records from the top of a tree to its bottom. */
const depths = [20, 200];

/** What is measured, at one size after the other. */
interface Series {
  readonly name: string;
  /** That the size is felt. */
  readonly grows: boolean;
  readonly sizes: readonly number[];
  /** Fills what is wanted. @returns what measures at a size. */
  prepare(ground: Ground): Promise<(size: number) => Promise<ReadonlyMap<Deed, Measured>>>;
}

type Found = readonly [ReadonlyMap<Deed, Measured>, ReadonlyMap<Deed, number>];

/** Prints a row for each shape and deed: figures of each size beside each other. */
export async function reportGrowth({ databaseUrl, label, sizes, only, say }: GrowthOptions): Promise<void> {
  const isMeant = ({ name }: { readonly name: string }): boolean => name.includes(only);
  const [someShapes, someTowers] = [shapes.filter(isMeant), towers.filter(isMeant)];
  const all = [...someShapes.map(descriptorsOf), ...someTowers.map(({ descriptors }) => descriptors)];
  const ground = await Ground.open(databaseUrl, all, Math.max(...sizes));
  const counter = await openCounter(databaseUrl);
  const report = async (title: string, all: readonly Series[]): Promise<void> => {
    const rows: Cell[][] = [];
    for (const series of all) {
      const startedAt = performance.now();
      const found = await measured(series, { ground, counter, say: (text) => say(`${label}: ${text}`) });
      for (const deed of operations) rows.push(rowOf(series, deed, found));
      say(`${label}: ${series.name} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }
    if (rows.length > 0) printTable(`${title}, ${label}`, heads, rows);
  };
  try {
    await report(`One request beside ${sizes.join(', ')} siblings`, [
      ...someShapes.map((shape) => seriesOf(shape, sizes)),
      ...someTowers.filter((tower) => tower === floors).map((tower) => towerSeries(tower, sizes, false)),
    ]);
    await report(
      `One request at the bottom of a tree ${depths.join(', ')} deep`,
      someTowers.filter((tower) => tower === tree).map((tower) => towerSeries(tower, depths, true)),
    );
  } finally {
    await counter.close();
    await ground.close();
  }
}

function seriesOf(shape: Shape, all: readonly number[]): Series {
  const sizes = all.filter((size) => size <= (shape.most ?? size));
  return {
    name: shape.name,
    grows: shape.grows !== undefined,
    sizes,
    prepare: async (ground) => {
      const boxes = await ground.fill(shape, sizes);
      return (size) => ground.measure(boxes, size);
    },
  };
}

function towerSeries(tower: Tower, sizes: readonly number[], grows: boolean): Series {
  return {
    name: tower.name,
    grows,
    sizes,
    prepare: async (ground) => {
      const sites = new Map<number, Site>();
      for (const size of sizes) sites.set(size, await tower.build(ground, size));
      return async (size) => {
        const site = sites.get(size);
        if (site === undefined) throw new Error(`there is no ${tower.name} of ${size}`);
        return ground.measureAt(site);
      };
    },
  };
}

interface Means {
  readonly ground: Ground;
  readonly counter: RowCounter;
  readonly say: (text: string) => void;
}

async function measured({ name, sizes, prepare }: Series, { ground, counter, say }: Means): Promise<readonly Found[]> {
  const measure = await prepare(ground);
  // The first of each compiles what it needs.
  await measure(sizes[0] ?? 0);
  const found: Found[] = [];
  for (const size of sizes) {
    const deeds = await measure(size).catch((error: unknown) => {
      say(`${name} at ${size}: ${String(error)}`);
      return new Map<Deed, Measured>();
    });
    found.push([deeds, await scannedIn(deeds, counter)]);
  }
  return found;
}

/** Rows that the selects of a deed take up; changes find their rows by id. */
async function scannedIn(
  measured: ReadonlyMap<Deed, Measured>,
  counter: RowCounter,
): Promise<ReadonlyMap<Deed, number>> {
  const scanned = new Map<Deed, number>();
  for (const [deed, { statements }] of measured) {
    let sum = 0;
    for (const { sql, values, rows } of statements)
      if (sql.startsWith('select')) sum += await counter.count(sql, values).catch(() => rows);
    scanned.set(deed, sum);
  }
  return scanned;
}

function rowOf({ name, grows }: Series, deed: Deed, found: readonly Found[]): Cell[] {
  const each = (of: (one: Measured, scanned: number) => string | number): string =>
    found
      .map(([measured, scanned]) => {
        const one = measured.get(deed);
        return one === undefined ? '-' : of(one, scanned.get(deed) ?? 0);
      })
      .join(' / ');
  const rowsToUs = found.map(([measured]) => rowsOf(measured.get(deed)));
  const isGrowing = Math.max(...rowsToUs) > Math.min(...rowsToUs) + 5;
  return [
    name,
    deed,
    each(({ statements }) => statements.length),
    each((one) => rowsOf(one)),
    each((_one, scanned) => scanned),
    each(({ cpuMs }) => cpuMs.toFixed(1)),
    each(({ ms }) => ms.toFixed(1)),
    isGrowing ? (grows ? 'grows, as it says' : 'GROWS') : '',
  ];
}

const rowsOf = (one: Measured | undefined): number => one?.statements.reduce((sum, { rows }) => sum + rows, 0) ?? 0;
