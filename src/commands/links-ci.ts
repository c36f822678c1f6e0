import { buildServer, markdownCell } from '../cli/ci.ts';
import type { Invocation } from '../cli/invocation.ts';
import { runDerived } from '../cli/run.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { content } from '../contract/content.ts';
import { linkColumns, linkFailure } from './columns.ts';

type Link = AnswerOf<typeof content.links>['items'][number];

const most = 100;

/** Lists links as ever, and shows a build server those that `--fail-on` names. */
export async function listLinks(invocation: Invocation): Promise<void> {
  const { io, session, flags, globals, command } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const unwanted = new Set((flags.failOn as string[] | undefined) ?? []);
  if (server.name === 'none' || globals.dryRun || unwanted.size === 0) return runDerived(invocation);
  await server.mask(session.env.DOCSCTL_TOKEN);
  const found: Link[] = [];
  const select = (link: Link) => {
    if (unwanted.has(link[linkFailure.key as 'status'])) found.push(link);
    return link;
  };
  try {
    await runDerived({ ...invocation, command: { ...command, select } });
  } finally {
    const rows = found.map((link) => ({ status: link.status, target: cell(link, 'target'), page: cell(link, 'page') }));
    await server.annotate(
      rows.slice(0, most).map(({ status, target, page }) => ({
        page,
        severity: 'error',
        message: `${status} link to ${target} on page ${page}`,
        rule: `link-${status}`,
      })),
    );
    server.summary(
      rows.length === 0
        ? `### Links\n\nNo link is ${[...unwanted].join(' or ')}.`
        : [
            `### ${rows.length} link${rows.length === 1 ? ' is' : 's are'} ${[...unwanted].join(' or ')}`,
            '',
            '| status | link | on page |',
            '|---|---|---|',
            ...rows
              .slice(0, most)
              .map(({ status, target, page }) => `| ${status} | ${markdownCell(target)} | ${markdownCell(page)} |`),
            ...(rows.length > most ? ['', `... and ${rows.length - most} more.`] : []),
          ].join('\n'),
    );
  }
}

const cell = (link: Link, key: string) => String(linkColumns.find((column) => column.key === key)!.value!(link));
