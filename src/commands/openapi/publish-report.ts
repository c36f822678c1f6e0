import { type BuildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { openapi } from '../../contract/openapi.ts';
import type { BreakingResult } from './breaking-gate.ts';

/** The result of publishing a specification. */
export type Published = AnswerOf<typeof openapi.view> & {
  result: 'created' | 'updated' | 'unchanged';
  findings: number;
  breaking: Breaking;
};

/** The result of the comparison; `not-checked` without --fail-on breaking. */
export type Breaking = BreakingResult | 'not-checked';

/** Reports published specifications to a build server: values for later steps, and a table. */
export function reportPublished(server: BuildServer, published: readonly Published[]): void {
  const rows = published.map(
    ({ slug, result, processingState, lastVersion, urls }) =>
      `| [${markdownCell(slug)}](${urls.app}) | ${result} | ${processingState} | ${markdownCell(lastVersion)} |`,
  );
  const head = ['### OpenAPI specifications', '', '| specification | result | state | version |', '|---|---|---|---|'];
  server.summary([...head, ...rows].join('\n'));
  const values = published.map(({ slug, result, lastVersion, urls }) => ({
    slug,
    result,
    version: lastVersion,
    url: urls.app,
  }));
  server.outputs(
    outputsOf(values.map(({ slug, url, result, version }) => ({ slug, revision: version, url, result, version }))),
  );
  server.list(
    'specifications',
    values.map(({ slug, result, version, url }, index) => ({
      slug,
      result,
      state: published[index]?.processingState,
      version,
      url,
    })),
  );
}
