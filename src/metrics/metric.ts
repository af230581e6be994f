// A metric, as it is told.
import type { Histogram } from './histogram.ts';

export type Labels = Readonly<Record<string, string | number>>;

/** A metric with the samples that it has at this moment; a histogram's are sets of times. */
export type Metric = { readonly name: string; readonly help: string } & (
  | { readonly type: 'counter' | 'gauge'; readonly samples: readonly (readonly [Labels, number])[] }
  | { readonly type: 'histogram'; readonly samples: readonly (readonly [Labels, Histogram])[] }
);
