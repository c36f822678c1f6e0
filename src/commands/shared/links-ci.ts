import { buildServer, markdownCell } from '../../cli/program/build-server.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { runDerived } from '../../cli/command/run.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import type { content } from '../../contract/content.ts';
import { linkingPageOf, targetOf } from '../../change-requests/link-places.ts';

type Link = ItemOf<typeof content.links>;

const maxShown = 100;

type LinksInvocation = Invocation<Invocation['args'], { ci?: boolean | undefined; failOn?: string[] | undefined }>;

/** Lists links. In CI, also annotates those that match `--fail-on`. */
export async function listLinks(invocation: LinksInvocation): Promise<void> {
  const { io, session, flags, globals, command } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const unwanted = new Set(flags.failOn ?? []);
  if (server.name === 'none' || globals.dryRun || unwanted.size === 0) return runDerived(invocation);
  await server.mask(session.tokenToHide);
  const links: Link[] = [];
  const select = (link: Link) => {
    if (unwanted.has(link.status)) links.push(link);
    return link;
  };
  try {
    await runDerived({ ...invocation, command: { ...command, output: { ...command.output, select } } });
  } finally {
    const rows = links.map((link) => ({ status: link.status, target: targetOf(link), page: linkingPageOf(link) }));
    await server.annotate(
      rows.slice(0, maxShown).map(({ status, target, page }) => ({
        subject: page,
        level: 'error',
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
              .slice(0, maxShown)
              .map(({ status, target, page }) => `| ${status} | ${markdownCell(target)} | ${markdownCell(page)} |`),
            ...(rows.length > maxShown ? ['', `... and ${rows.length - maxShown} more.`] : []),
          ].join('\n'),
    );
  }
}
