import type { Instance } from '../engine/instance.ts';

const bucketLimits = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5] as const;

interface Measured {
  labels: string;
  count: number;
  seconds: number;
  /** `count`: how many requests took at most `limit` seconds. */
  buckets: { limit: number; count: number }[];
}

/** Counts of HTTP requests, in the text format of Prometheus. */
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
        measured.set(
          key,
          (entry = { labels, count: 0, seconds: 0, buckets: bucketLimits.map((limit) => ({ limit, count: 0 })) }),
        );
      }
      const seconds = ms / 1000;
      entry.count++;
      entry.seconds += seconds;
      for (const bucket of entry.buckets) if (seconds <= bucket.limit) bucket.count++;
    },
    text(instance) {
      const lines = [
        '# HELP docsctl_http_requests_total Requests answered, by route and status.',
        '# TYPE docsctl_http_requests_total counter',
        ...[...measured.values()].map(({ labels, count }) => `docsctl_http_requests_total{${labels}} ${count}`),
        '# HELP docsctl_http_request_duration_seconds Time to answer.',
        '# TYPE docsctl_http_request_duration_seconds histogram',
        ...[...measured.values()].flatMap(({ labels, count, seconds, buckets }) => [
          ...buckets.map(
            (bucket) => `docsctl_http_request_duration_seconds_bucket{${labels},le="${bucket.limit}"} ${bucket.count}`,
          ),
          `docsctl_http_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}`,
          `docsctl_http_request_duration_seconds_sum{${labels}} ${seconds}`,
          `docsctl_http_request_duration_seconds_count{${labels}} ${count}`,
        ]),
        ...gauge(
          'docsctl_database_bytes',
          'Size of the database file with its write-ahead log.',
          instance.store.bytes(),
        ),
        ...gauge('docsctl_background_jobs', 'Running background jobs.', instance.background.size),
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
