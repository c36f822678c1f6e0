import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Transport } from '../../client/transport.ts';
import { linesOf } from '../../content/folder/local-links.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { messageOf } from '../../shared/error-text.ts';
import { isObject } from '../../shared/is-object.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { version } from '../../shared/version.ts';
import type { FolderProblem } from '../folder/problem.ts';
import type { SiteFolder } from '../folder/site-folder.ts';

/** What exists is not asked for again for a day. */
const freshMs = 24 * 3_600_000;
const maxPerHost = 2;
const maxHosts = 8;
/** Between two requests of one connection to a host. */
const pauseMs = 200;
const timeoutMs = 15_000;
const maxRedirects = 8;

/** The state of a link: reachable, missing or unknown. */
interface Verdict {
  state: 'exists' | 'missing' | 'unknown';
  reason: string;
}

/**
 * Links to other hosts whose targets do not exist.
 *
 * @param links addresses by the files that have them
 */
export async function externalProblems(
  { cacheFolder, signal }: { cacheFolder: string; signal: AbortSignal },
  site: SiteFolder,
  links: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<FolderProblem[]> {
  const cacheFile = join(cacheFolder, 'external-links.json');
  const known = readCache(cacheFile);
  const addresses = new Set([...links.values()].flatMap((urls) => [...urls].map(withoutFragment)));
  const open = [...addresses].filter((url) => !known.has(url));
  const verdicts = await askAll(open, signal);
  const now = Date.now();
  for (const [url, { state }] of verdicts) if (state === 'exists') known.set(url, now);
  await writeCache(cacheFile, known);
  return [...links].flatMap(([file, urls]) => problemsIn(site, file, urls, verdicts));
}

function problemsIn(
  site: SiteFolder,
  file: string,
  urls: ReadonlySet<string>,
  verdicts: ReadonlyMap<string, Verdict>,
): FolderProblem[] {
  const bad = [...urls].filter((url) => {
    const verdict = verdicts.get(withoutFragment(url));
    return verdict !== undefined && verdict.state !== 'exists';
  });
  const lines = linesOf(site.disk.text(file) ?? '', bad);
  return bad.map((url): FolderProblem => {
    const { state, reason } = verdicts.get(withoutFragment(url)) ?? { state: 'unknown', reason: '' };
    const line = lines.get(url);
    return {
      file,
      ...(line === undefined ? {} : { line }),
      ...(state === 'missing'
        ? { rule: 'external-link', level: 'error', message: `${url} does not exist: ${reason}.` }
        : { rule: 'external-not-checked', level: 'warning', message: `${url} could not be checked: ${reason}.` }),
    };
  });
}

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');

async function askAll(urls: readonly string[], signal: AbortSignal): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const hosts = [...Map.groupBy(urls, (url) => (URL.canParse(url) ? new URL(url).host : ''))];
  const asker = new Asker(signal);
  try {
    const nextHost = hosts.values();
    const workers = Array.from({ length: maxHosts }, async () => {
      for (const [host, own] of nextHost) {
        if (host === '') {
          for (const url of own) verdicts.set(url, { state: 'missing', reason: 'it is not a valid address' });
          continue;
        }
        const nextUrl = own.values();
        const connections = Array.from({ length: maxPerHost }, async () => {
          for (const url of nextUrl) {
            signal.throwIfAborted();
            verdicts.set(url, await asker.ask(url));
            await new Promise((resolve) => setTimeout(resolve, pauseMs));
          }
        });
        await Promise.all(connections);
      }
    });
    await Promise.all(workers);
  } finally {
    await asker.close();
  }
  return verdicts;
}

/** Asks hosts, through the proxy that the environment names. */
class Asker {
  readonly #signal: AbortSignal;
  readonly #transports = new Map<string, Promise<Transport>>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async ask(url: string): Promise<Verdict> {
    const head = await this.#follow('HEAD', url);
    // Some servers answer only what browsers ask.
    return head.state === 'exists' ? head : this.#follow('GET', url);
  }

  async close(): Promise<void> {
    for (const transport of this.#transports.values()) await (await transport).close();
  }

  async #follow(method: string, start: string): Promise<Verdict> {
    let url = start;
    for (let count = 0; count <= maxRedirects; count += 1) {
      let response;
      try {
        response = await this.#send(method, new URL(url));
      } catch (error) {
        this.#signal.throwIfAborted();
        return { state: 'unknown', reason: messageOf(error).replace(/\.$/, '') };
      }
      const { location } = response.headers;
      const isRedirect = response.status >= 300 && response.status < 400 && location !== undefined;
      if (!isRedirect) return verdictOn(response.status);
      if (!URL.canParse(location, url)) return { state: 'unknown', reason: 'it redirects to no valid address' };
      url = new URL(location, url).href;
      if (!/^https?:/.test(url)) return { state: 'exists', reason: '' };
    }
    return { state: 'unknown', reason: `it redirects more than ${maxRedirects} times` };
  }

  async #send(method: string, url: URL) {
    const transport = this.#transports.get(url.origin) ?? openTransport(url.origin);
    this.#transports.set(url.origin, transport);
    const headers = {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'user-agent': `docsctl/${version}`,
      ...(method === 'GET' ? { range: 'bytes=0-0' } : {}),
    };
    const request = { method, path: url.pathname + url.search, headers, repeatable: true, signal: this.#signal };
    return (await transport).send(request);
  }
}

async function openTransport(origin: string): Promise<Transport> {
  const { httpTransport } = await import('../../client/http.ts');
  return httpTransport({ address: { origin, prefix: '' }, timeoutMs, connectTimeoutMs: timeoutMs });
}

function verdictOn(status: number): Verdict {
  if (status < 400 || status === 416) return { state: 'exists', reason: '' };
  const state = status === 404 || status === 410 ? 'missing' : 'unknown';
  return { state, reason: `the response was ${status}` };
}

/** When addresses existed, by the address. */
function readCache(file: string): Map<string, number> {
  const oldest = Date.now() - freshMs;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const entries = isObject(value) ? Object.entries(value) : [];
    return new Map(
      entries.flatMap(([url, time]): [string, number][] =>
        typeof time === 'number' && time > oldest ? [[url, time]] : [],
      ),
    );
  } catch {
    // There is none yet, or it is damaged: all links are requested again.
    return new Map();
  }
}

/** Without the cache the next check only takes longer. */
async function writeCache(file: string, known: ReadonlyMap<string, number>): Promise<void> {
  try {
    makeFolder(dirname(file));
    await writeFileAtomic(file, JSON.stringify(Object.fromEntries(known)));
  } catch {
    return;
  }
}

/** Rules about links to other hosts. */
export const externalRules = ['external-link', 'external-not-checked'] as const;
