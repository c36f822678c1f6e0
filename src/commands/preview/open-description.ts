import { isAbsolute, resolve } from 'node:path';
import { watch } from 'chokidar';
import { formatFinding } from '../../cli/report/finding.ts';
import { visible } from '../../cli/output/index.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { openDescription, type OpenedDescription, UnreadableFile } from '../../openapi/index.ts';
import { Reference } from '../../site/reference/index.ts';
import { type DescriptionSource } from '../../openapi/index.ts';
import { addressText } from '../shared/description-source.ts';
import { isAddress } from '../../openapi/find-descriptions.ts';
import { type OpenedSource, printError } from '../shared/serve-preview.ts';
import type { PreviewInvocation } from './preview-invocation.ts';
import { ReferencePreview } from '../../site/preview/reference-preview.ts';

/** Several files may be saved at once. */
const batchMs = 30;

/** Opens an OpenAPI description at a path or an address. @throws UsageError if it cannot be read */
export async function openDescriptionFile(invocation: PreviewInvocation, source: string): Promise<OpenedSource> {
  const from: DescriptionSource = isAddress(source)
    ? { url: source, text: await addressText(invocation, source) }
    : { path: source };
  const opened = await read(from);
  const { problems } = opened;
  if (opened.document === undefined) {
    const [first] = problems;
    throw new UsageError(
      first ? `${lineOf(first)}` : `${source} cannot be read.`,
      '"docsctl openapi validate" checks a description.',
    );
  }
  const preview = new ReferencePreview(new Reference(opened), {
    hasTryIt: invocation.flags.tryIt === true,
    problems: shown(problems),
  });
  await print(invocation, problems);
  if (isAddress(source)) return { source: preview, name: `the reference of ${source}` };
  const watching = watchFiles(
    opened,
    async (files) => {
      const again = await read(from);
      files(again);
      await print(invocation, again.problems);
      preview.replace(again.document === undefined ? undefined : new Reference(again), shown(again.problems));
    },
    (error) => void printError(invocation, error),
  );
  return { source: preview, name: `the reference of ${source}`, close: () => watching.close() };
}

async function read(from: DescriptionSource): Promise<OpenedDescription> {
  try {
    return await openDescription(from, process.cwd(), [], () =>
      Promise.resolve({ reason: 'is not downloaded by a preview' }),
    );
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UsageError(`${error.message.replace(/\.$/, '')}.`, 'Pass a description, a folder or a space.');
  }
}

type Problem = OpenedDescription['problems'][number];

const lineOf = ({ file, line, column, rule, message }: Problem): string =>
  formatFinding({ file, line, column, level: 'error', rule, message });

const shown = (problems: readonly Problem[]) =>
  problems.map(({ file, line, message }) => ({ message, place: `${file}:${line}` }));

async function print({ io }: PreviewInvocation, problems: readonly Problem[]): Promise<void> {
  await io.err.write(problems.map((problem) => `${visible(lineOf(problem))}\n`).join(''));
}

/** Watches only the files of a description. */
function watchFiles(
  opened: OpenedDescription,
  onChange: (setFiles: (opened: OpenedDescription) => void) => Promise<void>,
  onError: (error: unknown) => void,
) {
  const filesOf = ({ addresses }: OpenedDescription) =>
    addresses.filter((address) => isAbsolute(address)).map((file) => resolve(file));
  const watcher = watch(filesOf(opened), { ignoreInitial: true });
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  watcher.on('all', () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      work = work.then(() => onChange((again) => void watcher.add(filesOf(again)))).catch(onError);
    }, batchMs);
  });
  watcher.on('error', onError);
  return {
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
