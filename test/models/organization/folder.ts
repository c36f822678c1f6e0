import { existsSync, readdirSync, readFileSync, renameSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Document, isMap, isSeq, parse, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { type Kind, kinds, pageText, pageWords, readTitle, type Slots, titleOf } from './slots.ts';

const parsed = new Map<string, any>();

/** Files of a sequence are read over and over. */
function parseOnce(text: string): any {
  const before = parsed.get(text);
  if (before !== undefined) return before;
  if (parsed.size > 5000) parsed.clear();
  // The rest of a site is large, and the same for all.
  const value = parse(text.split('\ncustomization:', 1)[0]!) ?? {};
  parsed.set(text, value);
  return value;
}

const fileOf: Record<Exclude<Kind, 'collection'>, (name: string) => string> = {
  team: (name) => `teams/${name}.yaml`,
  space: (name) => `spaces/${name}/space.yaml`,
  site: (name) => `sites/${name}.yaml`,
};

const list = (path: string): string[] => (existsSync(path) ? readdirSync(path).toSorted() : []);

/** A collection of collections.yaml. Nothing in this model nests them. */
interface Node {
  name: string;
  title?: string;
  defaultLevel?: string | null;
  order?: string[];
}

/** The files of an organization, as people read and edit them. */
export class Folder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  text(file: string): string {
    return readFileSync(join(this.path, file), 'utf8');
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.path, file)), { recursive: true });
    writeFileSync(join(this.path, file), text);
  }

  /** The names of the objects of a kind, by key. */
  names(kind: Kind): Map<string, string> {
    const names = new Map<string, string>();
    for (const [name, { title = '' }] of this.#objects(kind)) {
      const key = readTitle(title)?.key;
      if (key !== undefined) names.set(key, name);
    }
    return names;
  }

  #objects(kind: Kind): [name: string, object: any][] {
    if (kind === 'collection') return this.nodes().map((node) => [node.name, node]);
    if (kind === 'space')
      return list(join(this.path, 'spaces'))
        .filter((name) => existsSync(join(this.path, fileOf.space(name))))
        .map((name) => [name, parseOnce(this.text(fileOf.space(name)))]);
    return list(join(this.path, `${kind}s`)).map((entry) => {
      const name = entry.replace(/\.yaml$/, '');
      return [name, parseOnce(this.text(fileOf[kind](name)))];
    });
  }

  nodes(): Node[] {
    return parseOnce(this.text('collections.yaml')).collections ?? [];
  }

  /** Rows of members.csv without the header, by address. */
  rows(): Map<string, string[]> {
    const [, ...lines] = this.text('members.csv').trimEnd().split('\n');
    return new Map(lines.map((line) => line.split(',')).map((row) => [row[0]!, row]));
  }

  read(): Slots {
    const slots: Slots = new Map();
    const keys = Object.fromEntries(
      kinds.map((kind) => [kind, new Map([...this.names(kind)].map(([key, name]) => [name, key]))]),
    ) as Record<Kind, Map<string, string>>;
    const keyOf = (kind: Kind, name: string) => keys[kind].get(name) ?? `? ${name}`;
    for (const kind of kinds)
      for (const [name, object] of this.#objects(kind)) {
        const { key, word } = readTitle(object.title ?? '') ?? {};
        if (key === undefined || word === undefined) continue;
        const put = (slot: string, value: string) => void slots.set(`${kind} ${key} ${slot}`, value);
        put('title', word);
        if (kind === 'team')
          for (const [email, role] of Object.entries<string>(object.members ?? {})) put(`member ${email}`, role);
        if (kind === 'space' || kind === 'collection') put('level', String(object.defaultLevel));
        if (kind === 'space') {
          put('in', object.collection === null ? 'top' : keyOf('collection', object.collection));
          const page = `spaces/${name}/content/page.md`;
          if (existsSync(join(this.path, page)))
            for (const [slot, value] of pageWords(this.text(page))) put(`page ${slot}`, value);
        }
        if (kind === 'site')
          put(
            'spaces',
            (object.structure ?? [])
              .map(({ space }: { space: string }) => keyOf('space', space))
              .toSorted()
              .join('+'),
          );
      }
    for (const [email, row] of this.rows()) slots.set(`member ${email} role`, row[1]!);
    return slots;
  }

  /** Edits a YAML file as an editor does: comments and order stay. */
  edit(file: string, change: (document: Document) => void): void {
    const document = parseDocument(this.text(file));
    change(document);
    this.write(file, document.toString({ lineWidth: 0 }));
  }

  editObject(kind: Kind, name: string, change: (object: YAMLMap, document: Document) => void): void {
    if (kind !== 'collection') {
      this.edit(fileOf[kind](name), (document) => change(document.contents as YAMLMap, document));
      return;
    }
    this.edit('collections.yaml', (document) => {
      const nodes = document.get('collections') as YAMLSeq<YAMLMap>;
      const node = nodes.items.find((each) => each.get('name') === name);
      if (node) change(node, document);
    });
  }

  /** Changes all orders of spaces and collections. @param change of the names in one; undefined as its parent is the top */
  #editOrders(change: (names: string[], parent: string | undefined) => string[]): void {
    this.edit('collections.yaml', (document) => {
      const update = (map: YAMLMap, parent: string | undefined) => {
        const order = map.get('order');
        if (!isSeq(order)) return;
        const names = order.items.map((item) => String((item as { value?: string }).value ?? item));
        const changed = change(names, parent);
        if (changed.join() !== names.join()) map.set('order', document.createNode(changed));
      };
      update(document.contents as YAMLMap, undefined);
      const nodes = document.get('collections');
      if (isSeq(nodes)) for (const node of nodes.items) if (isMap(node)) update(node, String(node.get('name')));
    });
  }

  setTitle(kind: Kind, name: string, key: string, word: string): void {
    this.editObject(kind, name, (object) => object.set('title', titleOf(kind, key, word)));
  }

  setRole(email: string, role: string | undefined): void {
    const [header = '', ...lines] = this.text('members.csv').trimEnd().split('\n');
    const width = header.split(',').length;
    const others = lines.filter((line) => !line.startsWith(`${email},`));
    const row = this.rows().get(email) ?? [email, 'read', 'false', ''].slice(0, width);
    if (role !== undefined) row[1] = role;
    const kept =
      role === undefined
        ? others
        : lines.some((line) => line.startsWith(`${email},`))
          ? lines.map((line) => (line.startsWith(`${email},`) ? row.join(',') : line))
          : [...lines, row.join(',')];
    this.write('members.csv', `${[header, ...kept].join('\n')}\n`);
    if (role === undefined) for (const name of this.names('team').values()) this.setMembership(name, email, undefined);
  }

  setMembership(team: string, email: string, role: string | undefined): void {
    this.editObject('team', team, (object, document) => {
      if (role === undefined) object.deleteIn(['members', email]);
      else if (isMap(object.get('members'))) object.setIn(['members', email], role);
      else object.set('members', document.createNode({ [email]: role }));
      const members = object.get('members');
      if (isMap(members)) members.flow = members.items.length === 0;
    });
    this.#updateColumn();
  }

  /** The optional column of members.csv repeats what the files of teams say. */
  #updateColumn(): void {
    const [header = '', ...lines] = this.text('members.csv').trimEnd().split('\n');
    const column = header.split(',').indexOf('teams');
    if (column < 0) return;
    const teams = this.#objects('team');
    const rows = lines.map((line) => {
      const row = line.split(',');
      row[column] = teams
        .filter(([, { members = {} }]) => Object.hasOwn(members, row[0]!))
        .map(([name]) => name)
        .join(';');
      return row.join(',');
    });
    this.write('members.csv', `${[header, ...rows].join('\n')}\n`);
  }

  dropColumn(): void {
    const lines = this.text('members.csv').trimEnd().split('\n');
    if (lines[0]!.endsWith(',teams'))
      this.write('members.csv', `${lines.map((line) => line.slice(0, line.lastIndexOf(','))).join('\n')}\n`);
  }

  add(kind: Kind, key: string, word: string, { inCollection, isListed }: { inCollection?: string; isListed: boolean }) {
    const title = titleOf(kind, key, word);
    const name = `${kind}-${key}`;
    if (kind === 'team') this.write(fileOf.team(name), `# A team\ntitle: ${title}\nmembers: {}\n`);
    if (kind === 'site') this.write(fileOf.site(name), `title: ${title}\nstructure: []\n`);
    if (kind === 'space') {
      this.write(fileOf.space(name), `title: ${title}\ndefaultLevel: read\ncollection: ${inCollection ?? 'null'}\n`);
      this.write(`spaces/${name}/content/page.md`, pageText([`${word}a`, `${word}b`]));
    }
    if (kind === 'collection')
      this.edit('collections.yaml', (document) => {
        const nodes = document.get('collections');
        const node = { name, title, defaultLevel: 'read', order: [] };
        if (isSeq(nodes)) {
          nodes.flow = false;
          nodes.add(document.createNode(node));
        } else document.set('collections', document.createNode([node]));
      });
    if (isListed && (kind === 'space' || kind === 'collection'))
      this.#editOrders((names, parent) =>
        parent === inCollection && !names.includes(name) ? [...names, name] : names,
      );
  }

  /** Removes an object and everything that mentions it. */
  remove(kind: Kind, name: string): void {
    if (kind === 'space') {
      rmSync(join(this.path, 'spaces', name), { recursive: true });
      for (const site of this.names('site').values()) this.#editStructure(site, name, undefined);
    } else if (kind === 'collection') {
      for (const space of this.names('space').values())
        if (parseOnce(this.text(fileOf.space(space))).collection === name) this.moveSpace(space, undefined);
      this.edit('collections.yaml', (document) => {
        const nodes = document.get('collections') as YAMLSeq<YAMLMap>;
        nodes.items = nodes.items.filter((each) => each.get('name') !== name);
        nodes.flow = nodes.items.length === 0;
      });
    } else rmSync(join(this.path, fileOf[kind](name)));
    this.#editOrders((names) => names.filter((each) => each !== name));
    if (kind === 'team') this.#updateColumn();
  }

  /** Gives an object another name, and everything that mentions it. */
  rename(kind: Kind, name: string, to: string): void {
    if (kind === 'collection') {
      this.editObject(kind, name, (node) => node.set('name', to));
      for (const space of this.names('space').values())
        if (parseOnce(this.text(fileOf.space(space))).collection === name)
          this.editObject('space', space, (object) => object.set('collection', to));
    } else if (kind === 'space') {
      renameSync(join(this.path, 'spaces', name), join(this.path, 'spaces', to));
      for (const site of this.names('site').values()) this.#editStructure(site, name, to);
    } else renameSync(join(this.path, fileOf[kind](name)), join(this.path, fileOf[kind](to)));
    this.#editOrders((names) => names.map((each) => (each === name ? to : each)));
    if (kind === 'team') this.#updateColumn();
  }

  #editStructure(site: string, space: string, to: string | undefined): void {
    if (!this.text(fileOf.site(site)).includes(`space: ${space}\n`)) return;
    this.editObject('site', site, (object) => {
      const entries = object.get('structure') as YAMLSeq<YAMLMap>;
      const isDefault = entries.items.find((entry) => entry.get('space') === space)?.get('default');
      if (to === undefined) {
        entries.items = entries.items.filter((entry) => entry.get('space') !== space);
        if (isDefault && entries.items[0]) entries.items[0].set('default', true);
        entries.flow = entries.items.length === 0;
      } else for (const entry of entries.items) if (entry.get('space') === space) entry.set('space', to);
    });
  }

  /** Adds a space to a site, or removes it. */
  toggleInSite(site: string, space: string): void {
    if (this.text(fileOf.site(site)).includes(`space: ${space}\n`)) this.#editStructure(site, space, undefined);
    else
      this.editObject('site', site, (object, document) => {
        const entries = object.get('structure') as YAMLSeq<YAMLMap>;
        entries.flow = false;
        entries.add(document.createNode({ space, ...(entries.items.length === 0 && { default: true }) }) as YAMLMap);
      });
  }

  moveSpace(space: string, collection: string | undefined): void {
    this.#editOrders((names) => names.filter((each) => each !== space));
    this.editObject('space', space, (object) => object.set('collection', collection ?? null));
    this.#editOrders((names, parent) => (parent === collection ? [...names, space] : names));
  }

  turnOrder(): void {
    this.#editOrders((names, parent) => (parent === undefined ? names.toReversed() : names));
  }

  setLevel(kind: 'space' | 'collection', name: string, level: string): void {
    this.editObject(kind, name, (object) => object.set('defaultLevel', level));
  }

  setWord(space: string, slot: string, word: string): boolean {
    const file = `spaces/${space}/content/page.md`;
    if (!existsSync(join(this.path, file))) return false;
    this.write(file, this.text(file).replace(new RegExp(`(Slot ${slot} has the word )\\w+`), `$1${word}`));
    return true;
  }

  /** Adds a comment to a file. */
  comment(kind: Exclude<Kind, 'collection'>, name: string, text: string): void {
    const file = fileOf[kind](name);
    this.write(file, this.text(file).replace(/^title:/m, `# ${text}\ntitle:`));
  }

  setMoved(kind: Exclude<Kind, 'collection'>, name: string, from: string): void {
    this.editObject(kind, name, (object) => object.set('moved', from));
  }

  /** Removes what mentions objects that are not in the files, after a merge of branches that each were correct. */
  repair(): void {
    const spaces = new Set(this.names('space').values());
    const collections = new Set(this.names('collection').values());
    const rows = this.rows();
    for (const [name, { collection }] of this.#objects('space'))
      if (collection !== null && collection !== undefined && !collections.has(collection))
        this.editObject('space', name, (object) => object.set('collection', null));
    const parents = new Map<string, string | undefined>([...collections].map((name) => [name, undefined]));
    for (const [name, { collection }] of this.#objects('space')) parents.set(name, collection ?? undefined);
    this.#editOrders((names, parent) => [
      ...new Set(names.filter((name) => parents.has(name) && parents.get(name) === parent)),
    ]);
    for (const [site, { structure = [] }] of this.#objects('site'))
      for (const { space } of structure) if (!spaces.has(space)) this.#editStructure(site, space, undefined);
    for (const [team, { members = {} }] of this.#objects('team'))
      for (const email of Object.keys(members)) if (!rows.has(email)) this.setMembership(team, email, undefined);
    this.#updateColumn();
  }
}
