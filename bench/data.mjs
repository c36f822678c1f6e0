import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient, changeRequestContent, changeRequests, orgs, sites, spaces, teams } from '../dist/index.mjs';

const givenNames = [
  'Ada',
  'Alan',
  'Björn',
  'Chiara',
  'Dmitri',
  'Fatima',
  'Grace',
  'Ingrid',
  'Jun',
  'Olga',
  'Ravi',
  '美咲',
];
const familyNames = [
  'Almeida',
  'Bakker',
  'Dubois',
  'Eriksen',
  'García',
  'Hopper',
  'Ivanova',
  'Jensen',
  'Nakamura',
  'Quinn',
];
const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read', 'read', 'read'];

/** A new database with an open transaction that nothing but SQLite checks. */
async function openToFill(file) {
  const client = createClient({ url: `embedded:${file}` });
  const { items } = await client.call(orgs.list, {});
  const organization = items[0].id;
  await client.close();
  const db = new DatabaseSync(file);
  db.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text));
  db.exec('PRAGMA synchronous = OFF; BEGIN');
  return { db, organization };
}

/** A database with so many members, straight into its tables in one transaction. @returns the organization's id */
export async function makeMembers(file, count) {
  const { db, organization } = await openToFill(file);
  const user = db.prepare('insert into user (id, display_name, email, created_at) values (?, ?, ?, ?)');
  const member = db.prepare(
    'insert into member (organization, user, role, joined_at, last_seen_at) values (?, ?, ?, ?, ?)',
  );
  const start = Date.parse('2025-01-01T00:00:00Z');
  for (let n = 0; n < count; n++) {
    const id = `u${n.toString(36).padStart(11, '0')}`;
    const name = `${givenNames[n % givenNames.length]} ${familyNames[Math.floor(n / givenNames.length) % familyNames.length]} ${n}`;
    const time = new Date(start + n * 1000).toISOString();
    user.run(id, name, `person${n}@bench.example`, time);
    member.run(organization, id, roles[n % roles.length], time, time);
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return organization;
}

/**
 * A database with so many collections, a hundredth of them at the top level and each other in one of those, and with as many
 * spaces, one in each; and a guest with grants on five collections at the top level and on five spaces.
 */
export async function makeContent(file, count) {
  const { db, organization } = await openToFill(file);
  const time = '2025-01-01T00:00:00.000Z';
  const collection = db.prepare(
    "insert into collection (id, organization, parent, position, title, default_level, created_at) values (?, ?, ?, ?, ?, 'read', ?)",
  );
  const space = db.prepare(
    `insert into space (id, organization, parent, position, title, emoji, edit_mode, default_level, created_at, updated_at, revision)
     values (?, ?, ?, ?, ?, '', 'live', 'read', ?, ?, ?)`,
  );
  const id = (kind, n) => `${kind}${n.toString(36).padStart(11, '0')}`;
  const top = count / 100;
  for (let n = 0; n < count; n++) {
    const parent = n < top ? null : id('c', n % top);
    collection.run(id('c', n), organization, parent, n * 1024, `Collection ${n}`, time);
    space.run(id('s', n), organization, id('c', n), 1024, `Space ${n}`, time, time, id('r', n));
  }
  db.prepare(
    "insert into user (id, display_name, email, created_at) values ('guest', 'Guest', 'guest@bench.example', ?)",
  ).run(time);
  db.prepare("insert into member (organization, user, role, joined_at) values (?, 'guest', null, ?)").run(
    organization,
    time,
  );
  const grant = db.prepare(
    "insert into content_grant (user, organization, collection, space, level) values ('guest', ?, ?, ?, 'edit')",
  );
  for (let n = 0; n < 5; n++) {
    grant.run(organization, id('c', n), null);
    grant.run(organization, null, id('s', top * 50 + 5 + n));
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return { organization, guest: 'guest@bench.example' };
}

const paragraph =
  'The pump moves water from the tank to the tower. Read the plate on its side before you open a valve.\n\n';

/** A space with so many pages in main content, ten under each of the first level. @returns the space's id */
export async function makePages(client, orgId, count) {
  const { id: spaceId } = await client.call(spaces.create, { params: { orgId }, body: { title: `${count} pages` } });
  const params = { spaceId, changeRequestId: await openRequest(client, spaceId) };
  for (let done = 0; done < count; done += 50) {
    const changes = Array.from({ length: Math.min(50, count - done) }, (_, index) => ({
      operation: 'insert_page',
      title: `Page ${done + index}`,
      ref: `p${index}`,
      ...(index % 10 === 0 ? {} : { into: `p${index - (index % 10)}` }),
      document: { markdown: `# Page ${done + index}\n\n${paragraph.repeat(5)}` },
    }));
    await client.call(changeRequestContent.change, { params, body: { changes } });
  }
  await client.call(changeRequests.merge, { params });
  return spaceId;
}

/** An organization of 10,000 members, 200 teams of 50, 300 spaces of 5 pages, and 5 sites of 60 spaces. */
export async function makeOrganization(file) {
  const orgId = await makeMembers(file, 10_000);
  const client = createClient({ url: `embedded:${file}` });
  const params = { orgId };
  for (let n = 0; n < 200; n++) {
    const people = Array.from({ length: 50 }, (_, index) => `u${(n * 50 + index).toString(36).padStart(11, '0')}`);
    await client.call(teams.create, { params, body: { title: `Team ${n}`, members: people } });
  }
  const all = [];
  for (let n = 0; n < 300; n++) {
    const spaceId = await makePages(client, orgId, 5);
    await client.call(spaces.edit, { params: { spaceId }, body: { title: `Space ${n}` } });
    all.push(spaceId);
  }
  for (let n = 0; n < 5; n++)
    await client.call(sites.create, {
      params,
      body: { title: `Site ${n}`, spaces: all.slice(n * 60, n * 60 + 60) },
    });
  await client.close();
  return orgId;
}

export async function openRequest(client, spaceId) {
  const { id } = await client.call(changeRequests.create, { params: { spaceId }, body: { subject: 'Bench' } });
  await client.call(changeRequests.edit, { params: { spaceId, changeRequestId: id }, body: { status: 'open' } });
  return id;
}

/** A folder of Markdown: pages of 500 words (for 5 sections) in groups of 40, with links, code, a table and blocks. */
export async function makeDocs(folder, count, sectionCount = 5) {
  const words = 'each request is answered with one document of what changed since it was last read'.split(' ');
  const text = (length, start) => Array.from({ length }, (_, n) => words[(start * 7 + n * 5) % words.length]).join(' ');
  const fileOf = (n) => `group-${Math.floor(n / 40)}/${n % 40 === 0 ? 'README' : `page-${n}`}.md`;
  const summary = ['# Contents', '', '* [Welcome](README.md)'];
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'README.md'), '# Welcome\n');
  for (let n = 0; n < count - 1; n++) {
    if (n % 40 === 0) await mkdir(join(folder, `group-${n / 40}`), { recursive: true });
    const sections = Array.from(
      { length: sectionCount },
      (_, s) => `## Part ${s}\n\n${text(70, n + s)}. See [another](../${fileOf((n * 13) % (count - 1))}).\n`,
    );
    const hint = `{% hint style="info" %}\n${text(20, n)}\n{% endhint %}\n`;
    const code = '```js\nfor (const item of list) console.log(item.id);\n```\n';
    const table = `| Name | Meaning |\n|---|---|\n${`| ${text(2, n)} | ${text(6, n)} |\n`.repeat(5)}`;
    await writeFile(join(folder, fileOf(n)), [`# Page ${n}\n`, ...sections, hint, code, table].join('\n'));
    summary.push(`${n % 40 === 0 ? '' : '  '}* [Page ${n}](${fileOf(n)})`);
  }
  await writeFile(join(folder, 'SUMMARY.md'), `${summary.join('\n')}\n`);
}
