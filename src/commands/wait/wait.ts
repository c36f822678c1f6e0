import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';

const params: Readonly<Record<string, string>> = { cr: 'changeRequestId', openapi: 'specSlug' };
const inSpace = '--space handbook0001';

export default command({
  use: 'wait <resource> [id]',
  changes: [],
  prints: async () => (await import('../shared/printed-local.ts')).state,
  summary: 'Wait until something has happened.',
  description:
    'The resource is cr, import or openapi. "cr" waits until a change request is merged or archived, or has the status of --until. "openapi" waits until the service has processed a specification. "import" waits until the content of the space changes, or with --since, until its revision differs.',
  examples: {
    'Wait until a change request is open': `docsctl wait cr 1 --until open ${inSpace}`,
    'Wait until a specification is processed': 'docsctl wait openapi pumps --within 5m',
    'Check whether an import has changed the content': `docsctl wait import ${inSpace} --since none`,
  },
  exitStatuses: {
    [exit.unreachable]: 'it did not happen within --within',
    [exit.checkFailed]: 'it can no longer happen: the request has another final status, or the processing failed',
  },
  docs: 'docs/bulk.md',
  seeAlso: ['cr view', 'openapi view', 'content import'],
  flags: [
    {
      flags: '--until <status>',
      description: 'of a change request',
      choices: ['open', 'merged', 'archived', 'closed'],
    },
    { flags: '--since <revision>', description: 'of an import: the revision before it' },
    { flags: '--within <time>', description: 'how long to wait: 90s, 10m or 2h (default 10m)' },
  ],
  input: {
    context: ['org', 'space'],
    suggestions: { resource: () => ['cr', 'import', 'openapi'] },
    objects: { id: ([resource]) => params[resource ?? ''] },
    texts: {
      resource: 'cr, import or openapi',
      id: 'ID or number of the change request, or slug of the specification',
    },
  },
  output: { columns: [{ key: 'resource' }, { key: 'id', kind: 'id' }, { key: 'state' }] },
  run: async (invocation) => (await import('./run-wait.ts')).runWait(invocation),
});
