import { openAgents } from '../fetcher.ts';
import type { Imported } from '../imported.ts';
import { assemble } from './assemble.ts';
import { Crawl, defaults, type Settings, type WebsiteOptions } from './crawl.ts';

/** The page at an address, and those to which it links on the same host and below its path. */
export async function importWebsite(url: string, options: WebsiteOptions = {}): Promise<Imported> {
  const present = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings: Settings = { ...defaults, ...present };
  const timeUp = AbortSignal.timeout(settings.timeoutMs);
  const ended = settings.signal ? AbortSignal.any([settings.signal, timeUp]) : timeUp;
  const agents = await openAgents(settings.concurrency);
  try {
    const crawl = new Crawl(settings, agents, ended);
    await crawl.run(url);
    return await assemble(crawl);
  } finally {
    agents.close();
  }
}
