import { join } from 'node:path';
import {
  changeRequestContent,
  changeRequests,
  content,
  createClient,
  members,
  orgs,
  search,
  spaces,
} from '../dist/index.mjs';
import { makeMembers, makePages, openRequest } from './data.mjs';
import { median, pairs, measureWork } from './measure.mjs';

/** What one call costs while what it works on grows: milliseconds of processor time, medians. */
export async function scaleTable(folder, maxCount) {
  const counts = [1000, 100_000, 1_000_000].map((count) => Math.min(count, maxCount));
  const columns = [];
  for (const [index, count] of counts.entries())
    columns.push(await costsOfMembers(join(folder, `scale-${index}.db`), count));
  const pageCounts = [50, 500, 5000];
  const file = join(folder, 'scale-pages.db');
  const client = createClient({ url: `embedded:${file}` });
  const orgId = (await client.call(orgs.list, {})).items[0].id;
  const pageColumns = [];
  for (const count of pageCounts) pageColumns.push(await costsOfPages(client, orgId, count));
  await client.close();
  return [
    tableOf('members', counts, columns),
    tableOf('pages', pageCounts, pageColumns),
    'Milliseconds of processor time for one call in-process, validation and JSON included.',
  ].join('\n\n');
}

function tableOf(what, counts, columns) {
  const head = `| what | ${counts.map((count) => `${count.toLocaleString('en')} ${what}`).join(' | ')} |`;
  const lines = Object.keys(columns[0]).map(
    (name) => `| ${name} | ${columns.map((column) => column[name].toFixed(2)).join(' | ')} |`,
  );
  return [head, `|${'---|'.repeat(counts.length + 1)}`, ...lines].join('\n');
}

/** Each measurement stands for some calls, since one alone is too short to be measured. */
async function costOfCall(call, calls = 20) {
  await call(0);
  const all = [];
  for (let n = 0; n < pairs; n++) {
    const { cpu } = await measureWork(async () => {
      for (let index = 0; index < calls; index++) await call(n * calls + index + 1);
    });
    all.push((cpu * 1000) / calls);
  }
  return median(all);
}

async function costsOfMembers(file, count) {
  const orgId = await makeMembers(file, count);
  const client = createClient({ url: `embedded:${file}` });
  const params = { orgId };
  const userId = (n) => `u${((n * 7919) % count).toString(36).padStart(11, '0')}`;
  const columns = {
    'list, 50 a page': await costOfCall(() => client.call(members.list, { params, query: { limit: 50 } })),
    'list by lastSeenAt, 50 a page': await costOfCall(() =>
      client.call(members.list, { params, query: { limit: 50, sort: 'lastSeenAt' } }),
    ),
    'search for one': await costOfCall(() =>
      client.call(members.list, { params, query: { search: `person${count - 3}@` } }),
    ),
    view: await costOfCall((n) => client.call(members.view, { params: { orgId, userId: userId(n) } })),
    'write (change a role)': await costOfCall((n) =>
      client.call(members.edit, {
        params: { orgId, userId: userId(n) },
        body: { role: n % 2 === 0 ? 'edit' : 'review' },
      }),
    ),
  };
  await client.close();
  return columns;
}

async function costsOfPages(client, orgId, count) {
  const spaceId = await makePages(client, orgId, count);
  const params = { spaceId };
  const { pages } = await client.call(content.pages, { params });
  const page = pages.at(-1);
  const merge = async (n) => {
    const changeRequestId = await openRequest(client, spaceId);
    await client.call(changeRequestContent.change, {
      params: { spaceId, changeRequestId },
      body: {
        changes: [{ operation: 'update_page', page: page.id, document: { markdown: `# Page\n\nNumber ${n}\n` } }],
      },
    });
    await client.call(changeRequests.merge, { params: { spaceId, changeRequestId } });
  };
  return {
    'list all pages': await costOfCall(() => client.call(content.pages, { params }), count > 1000 ? 2 : 10),
    'view one page': await costOfCall(() => client.call(content.page, { params: { spaceId, pageId: page.id } })),
    'search pages': await costOfCall(() =>
      client.call(search.space, { params, query: { query: `Page ${count - 1}` } }),
    ),
    'change one page and merge': await costOfCall(merge, 2),
    'rename the space': await costOfCall((n) => client.call(spaces.edit, { params, body: { title: `Space ${n}` } })),
  };
}
