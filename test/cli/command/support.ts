import type { Transport, WireRequest } from '../../../src/client/transport.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import { runProgram } from '../../../src/cli/program/main.ts';
import { root } from '../../support/cli.ts';
import { captureRun } from '../../support/in-process.ts';

/** Answers requests with JSON, and keeps their paths. */
export function scriptedTransport(answer: (url: URL) => { status?: number; body: unknown }) {
  const urls: URL[] = [];
  const transport: Transport = {
    async send({ path }: WireRequest) {
      const url = new URL(path, 'http://service.example');
      urls.push(url);
      const { status = 200, body } = answer(url);
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
    },
    async close() {},
  };
  return { transport, urls };
}

/** Runs one command of a program that has no other, as a script does: without a terminal. */
export async function runCommand(command: Command, words: string[], transport = scriptedTransport(noAnswer).transport) {
  const line = ['things', ...words, '--url', 'embedded:test.db', '--no-input', '--retries', '0'];
  const { exitCode, stdout, stderr } = await captureRun({ dir: root, env: {} }, (streams) =>
    runProgram(line, {
      entries: [{ name: 'things', summary: 'things', purpose: 'Content', load: async () => ({ default: [command] }) }],
      openEmbedded: async () => transport,
      streams,
    }),
  );
  return { status: exitCode, out: stdout, err: stderr };
}

function noAnswer(): never {
  throw new Error('Nothing should be sent.');
}
