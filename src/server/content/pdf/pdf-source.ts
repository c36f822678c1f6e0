import type { MessagePort } from 'node:worker_threads';

/** What the layout of a PDF reads while it works, so that not all of it is in memory at once. */
export interface PdfSource {
  /** The Markdown of a page. */
  text(page: string): Promise<string>;
  /** The latest version of a specification of the organization; empty if there is none. */
  spec(slug: string): Promise<string>;
  /** The bytes of a file; undefined if it does not exist. */
  file(file: string): Promise<Uint8Array | undefined>;
}

interface Request {
  id: number;
  kind: keyof PdfSource;
  name: string;
}

type Answer = { id: number; value: string | Uint8Array | undefined } | { id: number; error: string };

/** Answers the thread that lays out a PDF, until the port is closed. */
export function serveSource(port: MessagePort, source: PdfSource): void {
  port.on('message', async ({ id, kind, name }: Request) => {
    try {
      const answer: Answer = { id, value: await source[kind](name) };
      port.postMessage(answer);
    } catch (error) {
      const answer: Answer = { id, error: error instanceof Error ? error.message : String(error) };
      port.postMessage(answer);
    }
  });
}

/** The other end of `serveSource`. */
export function sourceOf(port: MessagePort): PdfSource {
  const waiting = new Map<number, { resolve(value: Answer): void }>();
  let last = 0;
  port.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  const ask = async (kind: keyof PdfSource, name: string) => {
    const id = (last += 1);
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, { resolve });
      const request: Request = { id, kind, name };
      port.postMessage(request);
    });
    if ('error' in answer) throw new Error(answer.error);
    return answer.value;
  };
  return {
    async text(page) {
      const text = await ask('text', page);
      return typeof text === 'string' ? text : '';
    },
    async spec(slug) {
      const text = await ask('spec', slug);
      return typeof text === 'string' ? text : '';
    },
    async file(file) {
      const bytes = await ask('file', file);
      return typeof bytes === 'string' ? undefined : bytes;
    },
  };
}
