import { execa } from 'execa';
import { bin, type Home } from './cli.ts';

interface Answer {
  id?: number | string;
  method?: string;
  params?: any;
  result?: any;
  error?: { code: number; message: string; data?: any };
}

/** The `_meta` that each request of the stateless revision has. */
export const modern = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** Starts `docsctl mcp` as a client does, with pipes. */
export function startMcp(home: Pick<Home, 'dir' | 'env'>, words: string[] = [], env: Record<string, string> = {}) {
  const child = execa(process.execPath, [bin, 'mcp', ...words], {
    cwd: home.dir,
    env: { ...home.env, ...env },
    extendEnv: false,
    reject: false,
    buffer: false,
    stdin: 'pipe',
  });
  const messages: Answer[] = [];
  /** Lines that are not messages of the protocol. */
  const strange: string[] = [];
  const waiting = new Map<unknown, (answer: Answer) => void>();
  let text = '';
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) receive(line);
  });
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));

  function receive(line: string) {
    try {
      const message: Answer = JSON.parse(line);
      messages.push(message);
      if (message.id !== undefined && message.method === undefined) waiting.get(message.id)?.(message);
    } catch {
      strange.push(line);
    }
  }

  let lastId = 0;
  const send = (message: unknown) => sendLine(JSON.stringify(message));
  const sendLine = (line: string) => void child.stdin.write(`${line}\n`);

  /** Sends a request. @returns its answer */
  function request(method: string, params?: object, id: number | string = ++lastId): Promise<Answer> {
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    return answer;
  }

  return {
    messages,
    strange,
    log: () => log,
    pid: child.pid!,
    send,
    sendLine,
    request,
    initialize: (protocolVersion = '2025-11-25') =>
      request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }),
    /** Calls a tool by the rules of the stateless revision. @returns its result with its text */
    async call(name: string, args: object = {}, meta: object = {}) {
      const params = { name, arguments: args, _meta: { ...modern._meta, ...meta } };
      const { result, error } = await request('tools/call', params);
      return { ...result, error, text: String(result?.content[0].text ?? '') };
    },
    end: () => child.stdin.end(),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Closes the input. @returns the exit status */
    async close() {
      child.stdin.end();
      return (await child).exitCode;
    },
    exited: child.then(({ exitCode }) => exitCode),
  };
}

export type McpClient = ReturnType<typeof startMcp>;
