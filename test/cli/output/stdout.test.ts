import { spawn, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { stdout, type Descriptor } from '../../../src/cli/output/stdout.ts';

const output = new URL('../../../src/cli/output/index.ts', import.meta.url).href;

/** A process of its own that has imported the output as `output`. */
function run(script: string, stdio: 'pipe' | number = 'pipe'): ChildProcess {
  const code = `const output = await import(${JSON.stringify(output)});\n${script}`;
  return spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], {
    stdio: ['ignore', stdio, 'pipe'],
  });
}

async function ended(child: ChildProcess) {
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, stderr };
}

test('five megabytes arrive whole at a slow reader, though the process ends at once', async () => {
  const child = run(`
    const sink = output.stdout();
    for (let page = 0; page < 50; page++) await sink.write(('x'.repeat(99) + '\\n').repeat(1000));
    await sink.write('last\\n');
    process.exit(0);
  `);
  const end = ended(child);
  let length = 0;
  let tail = '';
  for await (const chunk of child.stdout! as AsyncIterable<Buffer>) {
    length += chunk.length;
    tail = (tail + chunk.toString()).slice(-5);
    await sleep(1);
  }
  expect(await end).toMatchObject({ code: 0, stderr: '' });
  expect(length).toBe(5_000_005);
  expect(tail).toBe('last\n');
});

test.each([10, 1_000_000])(
  'a reader that closes the pipe ends the process without an error (writes of %i bytes)',
  async (size) => {
    const child = run(`
    const sink = output.stdout();
    for (;;) { await sink.write('x'.repeat(${size})); await new Promise((done) => setImmediate(done)); }
  `);
    const end = ended(child);
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    expect(await end).toEqual({ code: 0, signal: null, stderr: '' });
  },
);

test('a reader that has stopped reading does not keep a signal from being handled', async () => {
  const child = run(`
    process.on('SIGTERM', () => process.exit(143));
    const sink = output.stdout();
    await sink.write('ready');
    await sink.write('x'.repeat(10_000_000));
  `);
  const end = ended(child);
  await once(child.stdout!, 'readable');
  // Nothing is read any more.
  child.kill('SIGTERM');
  expect(await end).toMatchObject({ code: 143 });
});

test('a full device is an error that says so', { tags: 'linux' }, async () => {
  const child = run(
    `try { await output.stdout().write('x'); } catch (error) { console.error(error.message, error.exitCode); }`,
    openSync('/dev/full', 'w'),
  );
  const { stderr } = await ended(child);
  expect(stderr).toBe('Standard output cannot be written: no space left on the device (ENOSPC). 1\n');
});

test('an endless jq expression can be interrupted in spite of a handler', async () => {
  const child = run(`
    process.on('SIGINT', () => process.exit(130));
    const list = output.createListOutput({ color: false, terminal: false, width: 80, jq: 'def f: f; f' }, [], { write() {} });
    process.stderr.write('ready');
    await list.end();
  `);
  await once(child.stderr!, 'data');
  const timer = setInterval(() => child.kill('SIGINT'), 300);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearInterval(timer);
  // Before jq runs the handler of the script may still answer.
  expect([code, signal]).toSatisfy(([c, s]: [unknown, unknown]) => c === 130 || s === 'SIGINT');
});

test('output that a full pipe does not accept at once follows in order', async () => {
  const taken: string[] = [];
  let room = 3;
  const streamed = {
    write: (bytes: Uint8Array, done: () => void) => {
      setTimeout(() => {
        taken.push(Buffer.from(bytes).toString());
        done();
      }, 1);
      return false;
    },
    on: () => streamed,
  };
  const descriptor: Descriptor = {
    isPipe: true,
    writeSync(bytes) {
      if (room === 0) throw Object.assign(new Error('again'), { code: 'EAGAIN' });
      const part = bytes.subarray(0, Math.min(room, bytes.length));
      room -= part.length;
      taken.push(Buffer.from(part).toString());
      return part.length;
    },
    stream: () => streamed as unknown as ReturnType<Descriptor['stream']>,
  };
  const sink = stdout(descriptor);
  expect(sink.write('ab')).toBeUndefined();
  // Not awaited one by one: the order is the sink's business.
  await Promise.all([sink.write('cdef'), sink.write('gh'), sink.write('ij')]);
  expect(taken.join('')).toBe('abcdefghij');
});
