import { addedColumns, ResultTable } from '../../cli/command/batch/result-table.ts';
import { isAnswered } from '../../client/read-back.ts';
import { type BuildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import { CommandError } from '../../cli/program/failure.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { openapi } from '../../contract/openapi.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { messageOf } from '../../shared/error-text.ts';
import type { BreakingResult } from './breaking-gate.ts';
import type { KeptFailures } from './keep-going.ts';
import type { Source } from './project-sources.ts';

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

/** The file of `--result`: what became of each description. */
export class ResultsOfSources {
  readonly #rows: Map<string, [result: string, reason: string]>;
  readonly #file: ResultTable | undefined;
  readonly #failures: KeptFailures;

  /** @throws UsageError if the file exists and does not contain results */
  constructor(file: string | undefined, sources: readonly Source[], failures: KeptFailures) {
    this.#file = file === undefined ? undefined : new ResultTable(file);
    this.#failures = failures;
    this.#rows = new Map(sources.map(({ source }) => [source, ['not tried', '']]));
  }

  /** Sends a description, and notes the result. */
  async recording(source: string, send: () => Promise<Published>): Promise<Published> {
    try {
      const published = await send();
      this.#rows.set(source, [published.result, '']);
      return published;
    } catch (error) {
      const isOwn = error instanceof CommandError || error instanceof EngineError;
      const isUnknown = !isOwn && !isAnswered(error);
      this.#rows.set(source, [isUnknown ? 'sent, answer unknown' : 'failed', messageOf(error)]);
      throw error;
    }
  }

  async write(): Promise<void> {
    const rows = [...this.#rows].map(([source, [result, reason]]) => {
      const refused = result === 'not tried' ? this.#failures.reasonOf(source) : undefined;
      const [line = ''] = (refused ?? reason).split('\n');
      return [source, refused === undefined ? result : 'failed', line.replace(/\.$/, '')];
    });
    await this.#file?.write([['source', ...addedColumns], ...rows]);
  }
}
