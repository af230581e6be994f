// Metrics in the text format of Prometheus.
import type { Metric as Registered, Registry } from 'prom-client';
import { bounds } from './histogram.ts';
import type { Metric } from './metric.ts';
import { readMetrics, type Seen } from './metrics.ts';

export interface Exposition {
  readonly type: string;
  readonly body: string;
}

type Library = typeof import('prom-client');

/** Makes what tells all that is seen. The library is loaded when somebody asks. */
export function createExposition(seen: Seen): () => Promise<Exposition> {
  let library: Promise<Library> | undefined;
  return async () => {
    library ??= import('prom-client');
    const { default: client } = (await library) as Library & { readonly default: Library }; // it is CommonJS
    const registry = new client.Registry();
    for (const metric of await readMetrics(seen)) register(registry, metric);
    return { type: client.Registry.PROMETHEUS_CONTENT_TYPE, body: await registry.metrics() };
  };
}

/**
 * Hands a registry the numbers as they are. Its own counters look up each count by a text made of all labels, which is too
 * dear for every request.
 */
function register(registry: Registry, metric: Metric): void {
  const { name, help, type } = metric;
  const get = async () => ({ name, help, type, values: valuesOf(metric), aggregator: 'sum' });
  registry.registerMetric({ name, get } as unknown as Registered); // all that a registry asks of a metric
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

function valuesOf(metric: Metric): Value[] {
  const { name } = metric;
  if (metric.type !== 'histogram')
    return metric.samples.map(([labels, value]) => ({ metricName: name, labels, value }));
  return metric.samples.flatMap(([labels, times]) => {
    const upTo = times.upTo();
    return [
      ...bounds.map((le, nth) => ({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: upTo[nth] ?? 0 })),
      { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: times.count },
      { metricName: `${name}_sum`, labels, value: times.sumMs / 1000 },
      { metricName: `${name}_count`, labels, value: times.count },
    ];
  });
}
