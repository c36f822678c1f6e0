import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { appendEvidence, readEvidence, sha256 } from '../../src/people/review/evidence.ts';
import { certificate } from '../../src/server/demo/texts.ts';

const specs = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));

const metadata = `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.example/metadata">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
      <X509Certificate>${certificate.replace(/-----.*-----|\n/g, '')}</X509Certificate>
    </X509Data></KeyInfo></KeyDescriptor>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://id.example/sso"/>
  </IDPSSODescriptor>
</EntityDescriptor>
`;

/** What is kept of "docsctl spaces edit apiguides001 --title 'API guides'" on the demo. */
const entry = {
  number: 1,
  time: '2026-01-05T09:00:00.000Z',
  version: '0.1.0',
  profile: 'local',
  command: ['spaces', 'edit', 'apiguides001', '--title', 'API guides'],
  changes: [
    {
      method: 'PATCH',
      path: '/v1/spaces/{spaceId}',
      endpoint: 'spaces.edit',
      params: { spaceId: 'apiguides001' },
      body: { title: 'API guides' },
      started: '2026-01-05T09:00:00.000Z',
      before: { title: 'API' },
      after: { title: 'API guides' },
      status: 200,
    },
  ],
  result: 'done',
  status: 0,
};

/** The record of an offboarding. */
const offboarding = {
  object: 'offboarding',
  startedAt: '2026-01-05T09:00:00.000Z',
  organization: { id: 'elsewhere001', title: 'Lumen Docs' },
  by: { id: 'member000001', title: 'Ada Almeida' },
  member: {
    id: 'gone00000001',
    title: 'Gina Gone <gina@lumen.example>',
    email: 'gina@lumen.example',
    role: 'comment',
  },
  teams: [{ id: 'writers00001', title: 'Writers', role: 'member', ownedAlone: false }],
  changeRequests: [],
  comments: [],
  levels: [],
  steps: [],
};

/** Writes an access review without rows. */
async function writeReview(folder: string): Promise<void> {
  const text = JSON.stringify({
    object: 'access-review',
    createdAt: '2026-01-05T09:00:00.000Z',
    organization: { id: 'elsewhere001', title: 'Lumen Docs' },
    by: 'admin@localhost',
    rows: [],
    files: [],
  });
  await mkdir(folder);
  await writeFile(join(folder, 'review.json'), text);
  const file = join(folder, 'evidence.jsonl');
  appendEvidence(file, readEvidence(file), [{ type: 'created', by: 'admin@localhost', review: sha256(text) }]);
}

/** Writes the files that examples and tests of the demo name, and a journal of one entry. */
export async function writeDemoFiles(folder: string): Promise<void> {
  const journal = join(folder, '.local', 'state', 'docsctl', 'journal', 'profile-local');
  await mkdir(journal, { recursive: true, mode: 0o700 });
  const url = `embedded:${join(folder, 'data', 'local.db')}`;
  await writeFile(join(journal, 'journal.jsonl'), `${JSON.stringify({ ...entry, url })}\n`);
  await cp(join(specs, '3.0', 'yaml', 'petstore.yaml'), join(folder, 'petstore.yaml'));
  await mkdir(join(folder, 'apis'));
  const petstore = await readFile(join(folder, 'petstore.yaml'), 'utf8');
  await writeFile(join(folder, 'apis', 'pumps.yaml'), petstore.replace(/^( +title: ).*$/m, '$1Pumps'));
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs', 'README.md'), '# Pumps\n\nAll about them.\n');
  const home = { address: '', page: 'README.md', anchors: ['pumps'] };
  await writeFile(
    join(folder, 'urls.json'),
    JSON.stringify({ version: 1, sites: [{ site: 'docs', addresses: [home] }] }),
  );
  await mkdir(join(folder, 'handbook'));
  await writeFile(join(folder, 'handbook', '.docsctl.yaml'), 'profile: local\nspace: handbook0001\n');
  await writeFile(
    join(folder, 'commands.txt'),
    '# Who, and where.\nwhoami\ndocsctl spaces create --title "Pump manual"\n',
  );
  await writeReview(join(folder, 'review'));
  await writeFile(join(folder, 'gina.json'), JSON.stringify(offboarding));
  await writeFile(join(folder, 'changes.csv'), 'email,role\nperson391@lumen.example,comment\n');
  await writeFile(join(folder, 'people.csv'), 'email,role\nnew@lumen.example,read\n');
  await writeFile(join(folder, 'roles.csv'), 'email,role\nperson2@lumen.example,read\n');
  await mkdir(join(folder, 'organization', 'teams'), { recursive: true });
  await writeFile(join(folder, 'organization', 'teams', 'writers.yaml'), 'title: Writers\n');
  await writeFile(join(folder, 'metadata.xml'), metadata);
  await writeFile(
    join(folder, 'schema.yaml'),
    'type: object\nadditionalProperties: false\nproperties:\n  age: { type: number, description: Age }\n',
  );
}

/** Makes a folder a Git repository whose files are in the branch main of the remote. */
export function makeRepository(folder: string): void {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words], { cwd: folder });
  git('init', '--quiet', '--initial-branch=main');
  git('add', 'apis');
  git('commit', '--quiet', '--message', 'Descriptions');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
}
