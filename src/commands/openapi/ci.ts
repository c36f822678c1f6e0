import { type BuildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { openapi } from '../../contract/openapi.ts';
import type { Finding } from '../../openapi/index.ts';

/** What became of a specification that was published. */
export type Published = AnswerOf<typeof openapi.view> & { result: 'created' | 'updated' | 'unchanged' };

/** How many findings a summary shows. */
const maxShown = 50;

/** Gives a build server what was published: values for later steps, and a table. */
export function tellPublished(server: BuildServer, published: readonly Published[]): void {
  const rows = published.map(
    ({ slug, result, processingState, lastVersion, urls }) =>
      `| [${markdownCell(slug)}](${urls.app}) | ${result} | ${processingState} | ${markdownCell(lastVersion)} |`,
  );
  server.summary(
    [
      '### OpenAPI specifications',
      '',
      '| specification | result | state | version |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
  server.outputs(
    outputsOf(
      published.map(({ slug, result, lastVersion, urls }) => ({
        slug,
        revision: lastVersion,
        url: urls.app,
        result,
        version: lastVersion,
      })),
    ),
  );
  server.list(
    'specifications',
    published.map(({ slug, result, processingState, lastVersion, urls }) => ({
      slug,
      result,
      state: processingState,
      version: lastVersion,
      url: urls.app,
    })),
  );
}

/** Shows findings on a build server's page of the run. */
export function tellFindings(server: BuildServer, sources: readonly string[], findings: readonly Finding[]): void {
  const names = sources.map((source) => markdownCell(source)).join(', ');
  if (findings.length === 0) {
    server.summary(`### OpenAPI\n\n${names}: no findings.`);
    return;
  }
  const rows = findings.slice(0, maxShown).map(({ severity, file, line, column, message, rule }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    return `| ${severity} | ${markdownCell(place)} | ${markdownCell(message)} | ${markdownCell(rule)} |`;
  });
  server.summary(
    [
      `### ${findings.length} finding${findings.length === 1 ? '' : 's'} in ${names}`,
      '',
      '| severity | place | finding | rule |',
      '|---|---|---|---|',
      ...rows,
      ...(findings.length > maxShown ? ['', `... and ${findings.length - maxShown} more.`] : []),
    ].join('\n'),
  );
}
