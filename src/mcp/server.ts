import { messageOf } from '../shared/error-text.ts';
import { type Era, eraOf, negotiated, supportedVersions } from './era.ts';
import {
  code,
  errorText,
  Id,
  messageIn,
  type Notification,
  notificationText,
  ProtocolError,
  type Request,
  resultText,
} from './messages.ts';
import { Queue } from './queue.ts';
import { readLines } from './read-lines.ts';
import { type Port, refused, runTool } from './run-tool.ts';
import { listed, Refusal, type Tool } from './tool.ts';

export interface ServerOptions {
  name: string;
  version: string;
  /** What an agent should know before it calls a tool. */
  instructions: string;
  tools: readonly Tool[];
  port: Port;
  input: AsyncIterable<Uint8Array>;
  write(text: string): void | Promise<void>;
  /** A remark for the person who has configured the server. */
  log(text: string): void;
  signal: AbortSignal;
}

/** The longest line of a client. */
const maxLine = 1_000_000;
/** So many tools run at the same time; further calls wait. */
const maxRunning = 4;
/** So many calls may wait. */
const maxWaiting = 200;
/** A call that takes longer is ended. */
const maxCallMs = 600_000;
/** How long calls may go on after the client has closed the input. */
const graceMs = 2_000;
/** Progress is reported at most so often. */
const progressMs = 500;
/** The description of the server does not change while it runs. */
const ttlMs = 3_600_000;

/** Answers a client until the input ends or the signal aborts. */
export async function serve(options: ServerOptions): Promise<void> {
  const server = new Server(options);
  const stop = () => server.stop();
  options.signal.addEventListener('abort', stop, { once: true });
  const ended = Promise.withResolvers<void>();
  options.signal.addEventListener('abort', () => ended.resolve(), { once: true });
  const reading = read(options, server);
  await Promise.race([reading, ended.promise]);
  await server.finish(options.signal.aborted ? 0 : graceMs);
}

async function read({ input, log, signal }: ServerOptions, server: Server): Promise<void> {
  try {
    for await (const line of readLines(input, maxLine)) {
      if ('text' in line) server.receive(line.text);
      else server.refuse(`A message has at most ${maxLine} characters.`);
      // A client that does not read is not answered further.
      await server.written;
    }
  } catch (error) {
    if (!signal.aborted) log(`The input cannot be read: ${messageOf(error)}.`);
  }
}

interface Running {
  controller: AbortController;
  done: Promise<void>;
}

class Server {
  readonly #options: ServerOptions;
  readonly #running = new Map<Id, Running>();
  readonly #queue = new Queue(maxRunning, maxWaiting);
  readonly #closing = Promise.withResolvers<void>();
  #isInitialized = false;
  /** Resolves when everything so far was written. */
  written: Promise<void> = Promise.resolve();

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  receive(line: string): void {
    const message = messageIn(line);
    switch (message.kind) {
      case 'request':
        return this.#begin(message.request);
      case 'notification':
        return this.#notice(message.notification);
      case 'invalid':
        return this.#write(errorText(message.id, message.error));
      case 'response':
    }
  }

  /** Answers a message that could not be read. */
  refuse(message: string): void {
    this.#write(errorText(undefined, new ProtocolError(code.invalidRequest, message)));
  }

  /** Ends all calls. */
  stop(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }

  /** Waits for the calls, and ends those that take longer. */
  async finish(ms: number): Promise<void> {
    this.#closing.resolve();
    const timer = setTimeout(() => this.stop(), ms);
    const all = [...this.#running.values()].map(({ done }) => done);
    await Promise.all(all);
    clearTimeout(timer);
    await this.written;
  }

  #write(text: string): void {
    const written = this.#options.write(text);
    if (written) this.written = written;
  }

  #begin(request: Request): void {
    const { id } = request;
    if (this.#running.has(id))
      return this.#write(
        errorText(id, new ProtocolError(code.invalidRequest, 'Another request with this ID is in progress.')),
      );
    const controller = new AbortController();
    // The entry is made before the request can end.
    const done = Promise.resolve().then(() => this.#answer(request, controller.signal));
    this.#running.set(id, { controller, done: done.finally(() => this.#running.delete(id)) });
  }

  async #answer(request: Request, signal: AbortSignal): Promise<void> {
    const { id } = request;
    try {
      const era = eraOf(request, this.#isInitialized);
      const result = await this.#resultOf(request, era, signal);
      if (!signal.aborted) this.#write(resultText(id, era === 'modern' ? this.#described(result) : result));
    } catch (error) {
      // A client that has cancelled a request gets no answer to it.
      if (signal.aborted) return;
      if (error instanceof ProtocolError) return this.#write(errorText(id, error));
      this.#options.log(
        `${request.method}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      this.#write(
        errorText(id, new ProtocolError(code.internalError, 'docsctl met an error that it does not expect.')),
      );
    }
  }

  /** What every result of the stateless revision has. */
  #described({ _meta, ...result }: { _meta?: object }): object {
    const { name, version } = this.#options;
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name, version } };
    return { resultType: 'complete', ...result, _meta: { ..._meta, ...serverInfo } };
  }

  async #resultOf(request: Request, era: Era, signal: AbortSignal): Promise<object> {
    const { method, params = {} } = request;
    const { name, version, instructions, tools } = this.#options;
    const capabilities = { tools: {} };
    const cached = era === 'modern' ? { ttlMs, cacheScope: 'private' } : {};
    switch (`${era} ${method}`) {
      case 'legacy initialize':
        return this.#initialize(params, { capabilities, serverInfo: { name, version }, instructions });
      case 'legacy ping':
        return {};
      case 'modern server/discover':
        return { supportedVersions, capabilities, instructions, ...cached };
      case 'modern subscriptions/listen':
        return this.#listen(request, signal);
      case 'legacy tools/list':
      case 'modern tools/list':
        if (params.cursor !== undefined)
          throw new ProtocolError(code.invalidParams, 'There is no such cursor: the list has one page.');
        return { tools: tools.map(listed), ...cached };
      case 'legacy tools/call':
      case 'modern tools/call':
        return this.#call(request, signal);
      default:
        throw new ProtocolError(code.methodNotFound, `There is no method "${method.slice(0, 100)}".`);
    }
  }

  #initialize(params: Request['params'], described: object): object {
    const protocolVersion = negotiated(params);
    this.#isInitialized = true;
    return { protocolVersion, ...described };
  }

  /** Nothing that a client could listen to changes, so that none of the notifications is agreed to. */
  async #listen({ id }: Request, signal: AbortSignal): Promise<object> {
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    this.#write(notificationText('notifications/subscriptions/acknowledged', { _meta, notifications: {} }));
    const cancelled = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await Promise.race([cancelled, this.#closing.promise]);
    return { _meta };
  }

  async #call({ params = {} }: Request, signal: AbortSignal): Promise<object> {
    const { tools, port } = this.#options;
    const { name, arguments: args = {}, _meta: meta } = params;
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new ProtocolError(code.invalidParams, `Unknown tool: ${String(name).slice(0, 100)}`);
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      throw new ProtocolError(code.invalidParams, '"arguments" must be an object.');
    const late = AbortSignal.timeout(maxCallMs);
    try {
      return await this.#queue.run(signal, () =>
        runTool(tool, args, { port, signal: AbortSignal.any([signal, late]), onCount: this.#counter(meta, signal) }),
      );
    } catch (error) {
      if (error instanceof Refusal) return refused(error.message);
      if (late.aborted && !signal.aborted)
        return refused(`The call took longer than ${maxCallMs / 60_000} minutes and was ended. Ask for less.`);
      throw error;
    }
  }

  /** Reports progress if the client has asked for it. */
  #counter(meta: unknown, signal: AbortSignal): (done: number, total: number | undefined) => void {
    const progressToken = typeof meta === 'object' && meta !== null && 'progressToken' in meta && meta.progressToken;
    if (!Id.safeParse(progressToken).success) return () => {};
    let progress = 0;
    let reported = -Infinity;
    return (done, total) => {
      const now = performance.now();
      if (signal.aborted || now - reported < progressMs) return;
      reported = now;
      // It has to rise, but each part of a command counts from 0.
      progress += 1;
      const message = total === undefined ? `${done}` : `${done} of ${total}`;
      this.#write(notificationText('notifications/progress', { progressToken, progress, message }));
    };
  }

  #notice({ method, params = {} }: Notification): void {
    if (method !== 'notifications/cancelled') return;
    const id = Id.safeParse(params.requestId);
    if (id.success) this.#running.get(id.data)?.controller.abort();
  }
}
