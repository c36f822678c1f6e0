import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { readdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Model, Step } from '../model.ts';
import { type Fault, type Request, type Run, Service } from '../world/service.ts';
import { mutants } from './mutants.ts';
import { asReplaced, asWritten, links, withWord, words, World } from './world.ts';

/** What people wrote, by page and place: main content, each change request, each file. */
interface Expected {
  texts: Map<string, string>;
  nextWord: number;
}

type CampaignStep = Step<Expected, World>;

/** Where somebody writes a word while a command runs, or between commands. */
interface Edit {
  space: number;
  page: number;
  slot: number;
  inRequest: boolean;
}

interface Trouble {
  kind: 'none' | 'busy' | 'lost request' | 'lost answer' | 'Ctrl-C before' | 'Ctrl-C after';
  at: number;
}

const campaigns = {
  replace: {
    words: ['replace', words.old, words.new, '--all-spaces'],
    subject: `Replace "${words.old}" by "${words.new}"`,
  },
  fix: { words: ['links', 'check', '--all-spaces', '--fix', '--fail-on', 'none'], subject: 'Fix links' },
} as const;
type Kind = keyof typeof campaigns;

const folderCampaigns: Record<Kind, string[]> = {
  replace: ['replace', words.old, words.new, 'docs'],
  fix: ['links', 'check', 'docs', '--fix', '--fail-on', 'none'],
};

let opened: Promise<Service> | undefined;
const service = () => (opened ??= Service.open());

const keyOf = (space: string, page: string, request = 'main') => `${space} ${page} ${request}`;

/** What somebody wrote. */
interface Written {
  space: string;
  /** The ID of a change request; undefined for main content. */
  request: string | undefined;
  page: string;
  text: string;
  /** What the model expected before. */
  before: string | undefined;
}

/** Somebody writes a new word. @returns undefined if there is no request to write in */
async function editPage(
  expected: Expected,
  world: World,
  { space: index, page: number, slot, inRequest }: Edit,
): Promise<Written | undefined> {
  const space = world.spaces[index]!;
  const [request] = inRequest ? await world.requests(space) : [];
  if (inRequest && !request) return undefined;
  const page = (await world.pages(space, request?.id))[number]!;
  const text = withWord(page.text, slot, (expected.nextWord += 1));
  await world.write(space, page, text, request?.id);
  const key = keyOf(space, page.id, request?.id);
  const before = expected.texts.get(key);
  expected.texts.set(key, asWritten(text));
  return { space, request: request?.id, page: page.id, text: asWritten(text), before };
}

/** Nothing outside of the matches has changed, and nobody's words are lost. */
async function check(expected: Expected, world: World): Promise<void> {
  for (const space of world.spaces) {
    const main = await world.pages(space);
    for (const { id, title, text } of main) compare(title, text, expected.texts.get(keyOf(space, id)));
    for (const { id: request, number } of await world.requests(space)) {
      for (const { id, title, text } of await world.pages(space, request)) {
        const key = keyOf(space, id, request);
        // A request begins with main content as it was then.
        if (!expected.texts.has(key)) expected.texts.set(key, knownText(expected, keyOf(space, id), asWritten(text)));
        compare(`${title} in request ${number}`, text, expected.texts.get(key));
      }
    }
  }
  for (const file of world.files) compare(file, world.textOf(file), expected.texts.get(file));
}

/** Every text that a page of main content had. */
const versions = new WeakMap<Expected, Map<string, Set<string>>>();

function knownText(expected: Expected, key: string, text: string): string {
  return versions.get(expected)?.get(key)?.has(text) ? text : (expected.texts.get(key) ?? '');
}

function remember(expected: Expected): void {
  const all = versions.get(expected) ?? new Map<string, Set<string>>();
  versions.set(expected, all);
  for (const [key, text] of expected.texts) all.set(key, (all.get(key) ?? new Set()).add(text));
}

function compare(name: string, text: string, written: string | undefined): void {
  if (written === undefined || asWritten(text) === written) return;
  throw new Error(`${name} has\n${text}\ninstead of\n${written}`);
}

function faultOf({ kind, at }: Trouble) {
  const faults: Record<Trouble['kind'], Fault | undefined> = {
    none: undefined,
    busy: { status: 503, retryAfter: 0 },
    'lost request': { lost: 'request' },
    'lost answer': { lost: 'answer' },
    'Ctrl-C before': { interrupt: 'request' },
    'Ctrl-C after': { interrupt: 'answer' },
  };
  return (_: unknown, index: number) => (index === at || (kind === 'busy' && index > at) ? faults[kind] : undefined);
}

async function run(kind: Kind, world: World, options: Parameters<Service['run']>[1] = {}): Promise<Run> {
  const own = [...campaigns[kind].words, '--org', world.organization, '--json', '--retries', '0'];
  const result = await (await service()).run(own, { dir: world.folder, ...options });
  if (![0, 7, 8, 130].includes(result.status)) throw new Error(`status ${result.status}: ${result.stderr}`);
  return result;
}

/** A campaign in trouble, while others write; then again to its end. */
const campaign = (kind: Kind, trouble: Trouble, edit: Edit | undefined, editAt: number | 'call'): CampaignStep => ({
  check: () => true,
  toString: () =>
    `docsctl ${campaigns[kind].words.join(' ')}; ${trouble.kind} at request ${trouble.at}${edit ? `; ${editAt === 'call' ? 'before its first call' : `at request ${editAt}`} ${editText(edit)}` : ''}; and again`,
  async run(expected, world) {
    const race = new Race();
    remember(expected);
    await run(kind, world, {
      fault(request, index) {
        const fault = faultOf(trouble)(request, index);
        if (fault) race.noteFault();
        return fault;
      },
      async before(request, index) {
        const isNow = editAt === 'call' ? isCall(request) : index === editAt;
        if (edit && isNow && !race.written) {
          const space = world.spaces.findIndex((id) => request.path.includes(id));
          race.written = await editPage(
            expected,
            world,
            editAt === 'call' ? { ...edit, space, inRequest: true } : edit,
          );
        }
        race.note(request);
        remember(expected);
      },
    });
    await race.settle(expected, world);
    await check(expected, world);
    const second = await run(kind, world);
    await check(expected, world);
    for (const space of world.spaces) await checkDone(kind, world, space, second);
  },
});

const isCall = ({ method, path }: Request) => method === 'POST' && path.split('?')[0]!.endsWith('/content');

/**
 * The API has no conditional writes: what somebody writes between the last check and the call is overwritten, and restored
 * afterwards. If the command fails in between, the words are only in the history of the request.
 */
class Race {
  written: Written | undefined;
  #isOverwritten: boolean | undefined;
  #isCut = false;

  /** The command looks at the request again, or it changes it without a look. */
  note(request: Request): void {
    const { written } = this;
    if (written?.request === undefined || this.#isOverwritten !== undefined) return;
    const path = `/v1/spaces/${written.space}/change-requests/${written.request}`;
    if (request.path.split('?')[0] === path) this.#isOverwritten = false;
    else if (request.path.startsWith(path) && isCall(request)) this.#isOverwritten = true;
  }

  noteFault(): void {
    if (this.#isOverwritten) this.#isCut = true;
  }

  /** Does not expect words that are only in the history. */
  async settle({ texts }: Expected, world: World): Promise<void> {
    const { written } = this;
    if (written?.request === undefined || !this.#isCut) return;
    const { space, request, page, text, before } = written;
    const now = (await world.pages(space, request)).find(({ id }) => id === page);
    if (now && asWritten(now.text) === text) return;
    const history = await world.history(space, request, page);
    if (!history.some((earlier) => asWritten(earlier) === text)) return;
    if (before === undefined) texts.delete(keyOf(space, page, request));
    else texts.set(keyOf(space, page, request), before);
  }
}

/** After a run that reports nothing, main content and the request of the campaign have no match left. */
async function checkDone(kind: Kind, world: World, space: string, { status, stderr }: Run): Promise<void> {
  const requests = (await world.requests(space)).filter(({ subject }) => subject === campaigns[kind].subject);
  if (requests.length > 1) throw new Error(`there are ${requests.length} requests of one campaign`);
  if (status !== 0) return;
  const [request] = requests;
  const isLeft = (text: string) => (kind === 'replace' ? asReplaced(text) !== text : text.includes(links.old));
  const left = (await world.pages(space, request?.id)).filter(({ text }) => isLeft(text));
  if (left.length > 0) throw new Error(`status 0, and ${left.map(({ title }) => title).join(', ')} is left: ${stderr}`);
}

/** Somebody merges the requests of a space; those in conflict are archived. */
const merge = (index: number): CampaignStep => ({
  check: () => true,
  toString: () => `somebody merges the requests of space ${index}`,
  async run(expected, world) {
    const space = world.spaces[index]!;
    for (const { id, status } of await world.requests(space)) {
      const base = `/v1/spaces/${space}/change-requests/${id}`;
      const before = await world.pages(space);
      if (status === 'draft') await world.service.call('PATCH', base, { status: 'open' });
      const own = new Map((await world.pages(space, id)).map((page) => [page.id, asWritten(page.text)]));
      const merged = await world.service.tryCall('POST', `${base}/merge`);
      if (merged.status >= 300 || merged.body?.result === 'conflicts') {
        await world.service.call('PATCH', base, { status: 'archived' });
        continue;
      }
      // The service merges: words that only one side changed come from this side.
      for (const { id: page, text } of await world.pages(space)) {
        const sides = [before.find((each) => each.id === page)?.text ?? '', own.get(page) ?? ''];
        const said = [...wordsIn(text)].every((word) => sides.some((side) => wordsIn(side).has(word)));
        if (!said) throw new Error(`the merge wrote ${text}`);
        expected.texts.set(keyOf(space, page), asWritten(text));
      }
    }
    remember(expected);
  },
});

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(/\bw\d+\b/g));

const write = (edit: Edit): CampaignStep => ({
  check: () => true,
  toString: () => editText(edit),
  async run(expected, world) {
    await editPage(expected, world, edit);
    remember(expected);
  },
});

const editText = ({ space, page, slot, inRequest }: Edit) =>
  `somebody writes in slot ${slot} of page ${page} of space ${space}${inRequest ? ', in its request' : ''}`;

const undo: CampaignStep = {
  check: () => true,
  toString: () => 'docsctl undo',
  async run(_, world) {
    const words = ['undo', '--yes', '--org', world.organization];
    const { status, stderr } = await (await service()).run(words, { dir: world.folder });
    if (![0, 2, 5, 6, 8].includes(status)) throw new Error(`undo: status ${status}: ${stderr}`);
  },
};

/** The same in a folder: the command ends at a file, or somebody saves one meanwhile; then again to its end. */
const inFolder = (kind: Kind, at: number, edited: number | undefined): CampaignStep => ({
  check: () => true,
  toString: () =>
    `docsctl ${kind} in a folder; ${edited === undefined ? 'fails' : `somebody saves file ${edited}`} at file ${at}; and again`,
  async run(expected, world) {
    const own = folderCampaigns[kind];
    const replace = async () => (await service()).run([...own, '--json'], { dir: world.folder });
    const { rename } = fsPromises;
    let count = 0;
    fsPromises.rename = async (from, to) => {
      if (String(to).endsWith('.md') && (count += 1) > at) {
        if (edited === undefined) throw new Error('The disk is full.');
        // No system can compare and replace a file in one step.
        else if (count === at + 1 && to !== world.files[edited]) saveFile(expected, world, edited);
      }
      return rename(from, to);
    };
    syncBuiltinESMExports();
    try {
      await replace();
    } finally {
      fsPromises.rename = rename;
      syncBuiltinESMExports();
    }
    for (const file of world.files) compare(file, world.textOf(file), expected.texts.get(file));
    await replace();
    const last = await replace();
    if (last.status !== 0 || last.json.length > 0) throw new Error(`something is left: ${last.stdout}${last.stderr}`);
    if (readdirSync(world.docs).length > world.files.length) throw new Error('there is another file in the folder');
  },
});

const undoInFolder: CampaignStep = {
  check: () => true,
  toString: () => 'docsctl replace --undo',
  async run(_, world) {
    const { status, stderr } = await (await service()).run(['replace', '--undo', 'docs'], { dir: world.folder });
    if (![0, 2, 8].includes(status)) throw new Error(`replace --undo: status ${status}: ${stderr}`);
    if (status === 0 && world.files.some((file) => world.textOf(file).includes(words.new))) {
      throw new Error(`not everything was changed back: ${stderr}`);
    }
  },
};

function saveFile(expected: Expected, world: World, index: number): void {
  const file = world.files[index]!;
  const text = withWord(world.textOf(file), 0, (expected.nextWord += 1));
  writeFileSync(file, text);
  expected.texts.set(file, asWritten(text));
}

const edits: fc.Arbitrary<Edit> = fc.record({
  space: fc.nat(1),
  page: fc.nat(2),
  slot: fc.nat(2),
  inRequest: fc.boolean(),
});
const troubles: fc.Arbitrary<Trouble> = fc.record({
  kind: fc.constantFrom('none', 'none', 'none', 'busy', 'lost request', 'lost answer', 'Ctrl-C before', 'Ctrl-C after'),
  at: fc.nat(45),
});

const interrupted: fc.Arbitrary<CampaignStep> = fc
  .tuple(
    fc.constantFrom<Kind>('replace', 'replace', 'fix'),
    troubles,
    fc.option(edits, { nil: undefined }),
    fc.oneof(fc.nat(45), fc.constant('call' as const)),
  )
  .map((args) => campaign(...args));

/** Replacements and fixes of links over spaces and folders, with interruptions, while others write. */
export const model: Model<Expected, World> = {
  name: 'campaigns',
  steps: [
    // Most steps: a race is between two of its forty requests.
    ...[1, 2, 3].map(() => interrupted),
    edits.map(write),
    fc.nat(1).map(merge),
    fc.constant(undo),
    fc
      .tuple(fc.constantFrom<Kind>('replace', 'fix'), fc.nat(2), fc.option(fc.nat(2), { nil: undefined }))
      .map((args) => inFolder(...args)),
    fc.constant(undoInFolder),
  ],
  maxSteps: 6,
  async open() {
    const world = await World.open(await service());
    const expected: Expected = { texts: new Map(), nextWord: 0 };
    for (const space of world.spaces)
      for (const { id, text } of await world.pages(space)) expected.texts.set(keyOf(space, id), asWritten(text));
    for (const file of world.files) expected.texts.set(file, world.textOf(file));
    remember(expected);
    return { expected, world };
  },
  check,
  close: async (world) => world.close(),
  end: async () => (await opened)?.close(),
  stateOf: ({ texts }) => [...texts.values()].join('\n'),
  mutants,
};
