import type { Invocation } from '../../cli/command/command.ts';
import { printList } from '../../cli/command/list.ts';
import { branchIn } from '../../cli/program/build-server.ts';
import { dataDir } from '../../cli/settings/paths.ts';
import { counted } from '../../shared/counted.ts';
import { readCheckout } from '../../sync/checkout.ts';
import { placesOf } from '../../sync/conflicts.ts';
import { type Docs, FolderTexts, readLocal } from '../../sync/local-folder.ts';
import { findRequest, type Push } from '../../sync/push.ts';
import { PushWarnings } from '../../sync/push-warnings.ts';
import { type Status, statusOf } from '../../sync/status.ts';
import { readPushed } from '../../sync/write.ts';
import { docsOf, spaceOf } from '../../cli/settings/docs-folders.ts';
import { withContentPort } from '../shared/download.ts';
import { type PlanRow, pullRows, pushRows } from './plan.ts';
import { placeOf } from './pull.ts';

type StatusInvocation = Invocation<
  { folder?: string | undefined },
  { cr?: string | undefined; mdx?: boolean | undefined }
>;

interface StatusRow extends PlanRow {
  direction: 'push' | 'pull' | 'both';
  folder?: string;
}

/** Shows the status of the folder in the arguments, or of the folders in the project file. */
export async function showStatus(invocation: StatusInvocation): Promise<void> {
  const folders = await docsOf(invocation);
  const texts = new FolderTexts(invocation.signal);
  const rows: StatusRow[] = [];
  try {
    for (const docs of folders) {
      const found = await rowsOf(invocation, docs, texts);
      rows.push(...found.map((row) => (folders.length === 1 ? row : { ...row, folder: docs.name })));
    }
  } finally {
    texts.close();
  }
  await printList(invocation, rows);
}

async function rowsOf(invocation: StatusInvocation, docs: Docs, texts: FolderTexts): Promise<StatusRow[]> {
  const { flags, session, io } = invocation;
  const local = await readLocal(texts, docs, { mustExist: false, keepsUnreadable: true, mdx: flags.mdx });
  const warnings = new PushWarnings(docs, local.root, { note: io.note.bind(io), annotate: async () => {} });
  await warnings.show(local.problems);
  const spaceId = await spaceOf(invocation, docs);
  const place = { spaceId, ...(await placeOf(invocation, spaceId)) };
  const { value: address } = await session.address();
  const pushed = await readPushed({ dataFolder: dataDir(session.env), address, spaceId });
  const checkout = await readCheckout(docs.path, branchIn(session.env));
  const { changeRequest } = place;
  const client = await invocation.client();
  const push: Push = {
    texts,
    docs,
    local,
    checkout,
    spaceId,
    target: { cr: changeRequest, subject: '' },
    warnings,
    options: {},
    existing: undefined,
    ...(changeRequest !== undefined && (await findRequest({ client }, spaceId, { cr: changeRequest, subject: '' }))),
  };
  const status = await withContentPort(invocation, 'Comparing', (port) =>
    statusOf(port, { texts, docs, local, checkout, place, pushed, options: {} }, push),
  );
  await report(invocation, docs, status);
  return statusRows(status);
}

async function report({ io }: StatusInvocation, { name }: Docs, status: Status): Promise<void> {
  const { push, pull, stale, isFirst, leftOut, conflicts } = status;
  if (stale) await io.note(`${stale.message} A push would send nothing.`);
  if (isFirst)
    await io.note(
      `${name} was never pushed to the space or pulled from it; the first push needs --adopt or --overwrite.`,
    );
  for (const { path, reason } of pull.refused) await io.note(`${path} would be skipped by a pull: ${reason}.`);
  if (leftOut > 0) {
    const pages = leftOut === 1 ? 'its page stays as it is' : 'their pages stay as they are';
    await io.note(`A push would leave out ${counted(leftOut, 'file')}: ${pages}, and the status is 8.`);
  }
  const count = leftOut + push.length + pull.write.size + pull.remove.length + conflicts.length;
  if (count === 0 && !stale) await io.note(`${name} and the space are the same.`);
}

function statusRows({ push, pull, conflicts, stale }: Status): StatusRow[] {
  const contested = new Set(conflicts.map(({ file, path }) => file ?? path));
  return [
    ...(stale ? [{ direction: 'push' as const, action: 'stale', path: '', what: stale.message }] : []),
    ...push.flatMap(({ operation, file }): StatusRow[] =>
      pushRows(operation).map((row) => ({ direction: 'push', ...row, path: file ?? row.path })),
    ),
    ...pullRows(pull).flatMap((row): StatusRow[] =>
      row.action === 'conflict' || contested.has(row.path) ? [] : [{ direction: 'pull', ...row }],
    ),
    ...conflicts.map((conflict): StatusRow => {
      const { file, path, title } = conflict;
      return { direction: 'both', action: 'conflict', path: file ?? path, title, what: placesOf(conflict) };
    }),
  ];
}
