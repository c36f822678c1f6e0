import { type BuildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { openapi } from '../../contract/openapi.ts';
import type { BreakingResult } from './breaking-gate.ts';

/** What became of a specification that was published. */
export type Published = AnswerOf<typeof openapi.view> & {
  result: 'created' | 'updated' | 'unchanged';
  findings: number;
  breaking: Breaking;
};

/** The result of the comparison; `not-checked` where it was not asked for. */
export type Breaking = BreakingResult | 'not-checked';

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
