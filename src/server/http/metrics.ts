import { statSync } from 'node:fs';
import type { Instance } from '../engine/instance.ts';

const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5] as const;

interface Measured {
  labels: string;
  count: number;
  seconds: number;
  /** How many took at most as long as the bucket of the same place. */
  within: number[];
}

/** What the HTTP side counts, in Prometheus' text format. */
export interface Metrics {
  observe(request: { method: string; route: string; status: number; ms: number }): void;
  text(instance: Instance): string;
}

export function createMetrics(): Metrics {
  const measured = new Map<string, Measured>();
  return {
    observe({ method, route, status, ms }) {
      const key = `${method} ${route} ${status}`;
      let entry = measured.get(key);
      if (!entry) {
        const labels = `method="${escape(method)}",route="${escape(route)}",status="${status}"`;
        measured.set(key, (entry = { labels, count: 0, seconds: 0, within: buckets.map(() => 0) }));
      }
      const seconds = ms / 1000;
      entry.count++;
      entry.seconds += seconds;
      for (let at = buckets.length - 1; at >= 0 && seconds <= buckets[at]!; at--) entry.within[at]!++;
    },
    text(instance) {
      const lines = [
        '# HELP docsctl_http_requests_total Requests answered, by route and status.',
        '# TYPE docsctl_http_requests_total counter',
        ...[...measured.values()].map(({ labels, count }) => `docsctl_http_requests_total{${labels}} ${count}`),
        '# HELP docsctl_http_request_duration_seconds Time to answer.',
        '# TYPE docsctl_http_request_duration_seconds histogram',
        ...[...measured.values()].flatMap(({ labels, count, seconds, within }) => [
          ...buckets.map(
            (bucket, at) => `docsctl_http_request_duration_seconds_bucket{${labels},le="${bucket}"} ${within[at]}`,
          ),
          `docsctl_http_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}`,
          `docsctl_http_request_duration_seconds_sum{${labels}} ${seconds}`,
          `docsctl_http_request_duration_seconds_count{${labels}} ${count}`,
        ]),
        ...gauge('docsctl_database_bytes', 'Size of the database file, its log included.', databaseBytes(instance)),
        ...gauge('docsctl_background_jobs', 'Background work under way.', instance.background.size),
        ...gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
        ...gauge('process_uptime_seconds', 'Time since the start.', Math.round(process.uptime())),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

const gauge = (name: string, help: string, value: number) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  `${name} ${value}`,
];
const escape = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function databaseBytes({ store }: Instance): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(store.file + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
