import { portOf } from '../shared/listening.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { printRequest } from '../../cli/command/dry-run/dry-run.ts';
import { argument, print, scopeOf } from '../../cli/command/invocation.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { openapi } from '../../contract/openapi.ts';

type ViewInvocation = Invocation<
  { slug?: string | undefined },
  {
    web?: boolean | undefined;
    port?: string | undefined;
    tryIt?: boolean | undefined;
    open?: boolean | undefined;
  }
>;

/** Shows a specification as a card, or its reference in the browser. */
export async function viewSpec(invocation: ViewInvocation): Promise<void> {
  const { client, flags, globals } = invocation;
  const params = { orgId: await scopeOf(invocation, 'org'), specSlug: argument(invocation, 'slug') };
  if (flags.web) return showReference(invocation, params);
  const flag = (['tryIt', 'open'] as const).find((name) => flags[name]);
  if (flag !== undefined) {
    throw new UsageError(`--${flag === 'tryIt' ? 'try-it' : flag} needs --web.`, 'Add --web to show the reference.');
  }
  if (globals.dryRun) return printRequest(invocation, { endpoint: openapi.view, params });
  await print(invocation, await (await client()).call(openapi.view, { params }));
}

async function showReference(invocation: ViewInvocation, params: { orgId: string; specSlug: string }): Promise<void> {
  const { serveUntilStopped } = await import('../shared/serve-preview.ts');
  const port = portOf(invocation.flags.port ?? '');
  const { filesystem } = await (await invocation.client()).call(openapi.latestContent, { params });
  const [document] = Object.values(filesystem);
  const { Reference } = await import('../../site/reference/index.ts');
  const { ReferencePreview } = await import('../../site/preview/reference-preview.ts');
  const source = new ReferencePreview(new Reference({ document }), { hasTryIt: invocation.flags.tryIt === true });
  await serveUntilStopped(invocation, { source, name: `the reference of ${params.specSlug}` }, port);
}
