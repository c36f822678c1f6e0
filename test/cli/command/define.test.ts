import { expect, expectTypeOf, test } from 'vitest';
import { command } from '../../../src/cli/command/define.ts';
import { callOf, paramsOf, send } from '../../../src/cli/command/request.ts';
import { printRequest } from '../../../src/cli/command/dry-run/dry-run.ts';
import { collections } from '../../../src/contract/collections.ts';
import type { AnswerOf, BodyInput } from '../../../src/contract/endpoint.ts';
import { members } from '../../../src/contract/members.ts';
import { spaces } from '../../../src/contract/spaces.ts';

// These are checked by the compiler: the functions are never called.

test('arguments are typed by the use line', () => {
  const made = command({
    use: 'copy <from> [names...]',
    async run({ args }) {
      expectTypeOf(args.from).toEqualTypeOf<string | undefined>();
      expectTypeOf(args.names).toEqualTypeOf<string[] | undefined>();
      // @ts-expect-error there is no such argument
      void args.to;
    },
  });
  expect(made.use).toBe('copy <from> [names...]');
});

test('flags are typed by their notation and choices', () => {
  const made = command({
    use: 'check',
    flags: [
      { flags: '-o, --out <file>', description: '' },
      { flags: '--fail-on <word>', description: '', choices: ['error', 'warning'] },
      { flags: '--tag <text>', description: '', repeatable: 'verbatim' },
      { flags: '--ci', description: '' },
      { flags: '--no-cache', description: '' },
    ],
    async run({ flags }) {
      expectTypeOf(flags.out).toEqualTypeOf<string | undefined>();
      expectTypeOf(flags.failOn).toEqualTypeOf<'error' | 'warning' | undefined>();
      expectTypeOf(flags.tag).toEqualTypeOf<string[] | undefined>();
      expectTypeOf(flags.ci).toEqualTypeOf<boolean | undefined>();
      expectTypeOf(flags.cache).toEqualTypeOf<boolean | undefined>();
      expectTypeOf(flags.org).toEqualTypeOf<string | undefined>();
      expectTypeOf(flags.limit).toEqualTypeOf<number | undefined>();
      // @ts-expect-error there is no such flag
      void flags.tags;
    },
  });
  expect(made.flags).toHaveLength(5);
});

test('a flag of a list for one value may have several', () => {
  const made = command({
    use: 'list',
    endpoint: members.list,
    async run({ flags }) {
      expectTypeOf(flags.role).toEqualTypeOf<string | string[] | undefined>();
      expectTypeOf(flags.filter).toEqualTypeOf<string[] | undefined>();
    },
  });
  expect(made.endpoint).toBe(members.list);
});

test('params, body and answer are typed by the endpoint', () => {
  const made = command({
    use: 'move <collection>',
    endpoint: collections.move,
    async run(invocation) {
      expectTypeOf(invocation.flags.parent).toEqualTypeOf<string | undefined>();
      expectTypeOf(await paramsOf(invocation)).toEqualTypeOf<{ collectionId: string }>();
      const call = await callOf(invocation);
      expectTypeOf(call.body).toEqualTypeOf<BodyInput<typeof collections.move>>();
      if (invocation.globals.dryRun) return printRequest(invocation, call);
      expectTypeOf(await send(invocation, call)).toEqualTypeOf<AnswerOf<typeof collections.move>>();
    },
  });
  expect(made.endpoint).toBe(collections.move);
});

test('a call of an endpoint without a body has no body', () => {
  const made = command({
    use: 'delete <space...>',
    endpoint: spaces.delete,
    async run(invocation) {
      expectTypeOf((await callOf(invocation)).body).toEqualTypeOf<undefined>();
    },
  });
  expect(made.endpoint).toBe(spaces.delete);
});

test('the printed member of a response is typed by the endpoint', () => {
  const made = command({
    use: 'view <collection>',
    endpoint: collections.view,
    output: { member: 'title' },
  });
  expect(made.output?.member).toBe('title');
});
