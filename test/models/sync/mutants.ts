import type { Mutant } from '../model.ts';

const findBase = 'src/sync/find-base.ts';
const mergePull = 'src/sync/three-way/merge-pull.ts';

export const mutants: Mutant[] = [
  {
    name: 'the base is always the last push',
    file: findBase,
    from: "    if (relation !== 'ancestor') continue;\n",
    to: '',
  },
  {
    name: 'an older checkout is not refused',
    file: findBase,
    from: "    if (relation === 'later' && !mayBeStale) throw staleError(checkout, entry);\n",
    to: '',
  },
  {
    name: 'an older shallow clone counts as another branch',
    file: findBase,
    from: "return isShallow ? 'later' : 'unknown';",
    to: "return 'diverged';",
  },
  {
    name: 'what was pushed without a commit is the base of every clone',
    file: findBase,
    from: '    if (!isPart || !uncommitted) return',
    to: '    if (layout) return',
  },
  {
    name: 'a pull is not recorded',
    file: 'src/sync/pull.ts',
    from: '  await writeState(target, {',
    to: '  if (target === "") await writeState(target, {',
  },
  {
    name: 'a pull writes deleted files again',
    file: mergePull,
    from: '        merged.deletedHere.push(path);\n        continue;',
    to: '        merged.deletedHere.push(path);',
  },
  {
    name: 'a pull keeps the files of deleted pages',
    file: mergePull,
    from: "if (prefer === 'app' || (own && equals(own, ancestor))) merged.removed.push(path);",
    to: "if (prefer === 'app' || (own && equals(own, ancestor))) merged.lost.push(path);",
  },
  {
    name: 'a pull overwrites what was changed here',
    file: mergePull,
    from: "  if (base && equals(app, base)) return { kind: 'folder', bytes: own };\n",
    to: "  if (base && equals(app, base)) return { kind: 'app', bytes: app };\n",
  },
  {
    name: 'a page that SUMMARY.md lists under a wrong name is deleted',
    file: 'src/sync/three-way/skipped-pages.ts',
    from: '  if (unreadable.length === 0) return [];\n',
    to: '  if (unreadable.length >= 0) return [];\n',
  },
  {
    name: 'a file that cannot be read gives its page a new title',
    file: 'src/sync/three-way/sides.ts',
    from: 'if (entry) return [record(entry, parent, entry.text)];',
    to: 'if (entry) return [record({ ...entry, title: page.title }, parent, entry.text)];',
  },
  {
    name: 'pages of renamed and edited files are not kept',
    file: 'src/sync/match.ts',
    from: '  matchBy(({ file }) => (file === null ? undefined : renames.get(file)), fileOf);\n',
    to: '',
  },
  {
    name: 'the state file is believed after a reset',
    file: 'src/sync/state-file.ts',
    from: '  return !isReset && state.removed?.some(isAsCommitted) !== true;',
    to: '  return true;',
  },
  {
    name: 'a push without changes sends its record again',
    file: 'src/sync/push.ts',
    from: '  if (!base.isLatest || (await wasTouched(push.checkout, base))) plan.record.isNew = true;',
    to: '  plan.record.isNew = true;',
  },
  {
    name: 'pages are matched by address before their files',
    file: 'src/sync/match.ts',
    from: '  matchBy(({ file }) => file ?? undefined, fileOf);\n',
    to: '',
  },
  {
    name: 'a request that starts from newer content is not compared again',
    file: 'src/sync/push.ts',
    from: ' || request.revisionInitial !== planned.content.revision.id',
    to: '',
  },
  {
    name: 'a push is not logged',
    file: 'src/sync/send.ts',
    from: '  const added = entry ? [{ ...entry, serial, revision: content.revision.id }] : [];',
    to: '  const added: PushEntry[] = entry && serial > 1 ? [] : [{ ...entry!, serial, revision: content.revision.id }];',
  },
  {
    name: 'a push merges although a later commit was pushed meanwhile',
    file: 'src/sync/push.ts',
    from: "  if (!checkout || options.ifStale === 'push') return;",
    to: "  if (checkout || options.ifStale === 'push') return;",
  },
  {
    name: 'a commit whose texts are in the space already is not recorded',
    file: 'src/sync/push.ts',
    from: '  if (!base.isLatest || (await wasTouched(push.checkout, base))) plan.record.isNew = true;\n',
    to: '',
  },
  {
    name: 'the base of a pull lacks what a late job pushed of the same page',
    file: 'src/sync/three-way/base-folder.ts',
    from: '  mergeLate(written, late);\n',
    to: '',
  },
  {
    name: 'links to pages and files are sent as paths',
    file: 'src/sync/push-text.ts',
    from: '    const stable = this.#ids && this.#stableAddress(url, file, from);\n',
    to: '    const stable = undefined;\n',
  },
  {
    name: 'links to a page that is created again keep its former ID',
    file: 'src/sync/plan.ts',
    from: ' && !linksToNew;',
    to: ';',
  },
  {
    name: 'a commit of another clone that replaced a pull counts as an edit after it',
    file: 'src/sync/discarded-pull.ts',
    from: '  return isMadeHere === false || isStateFromHere === false;',
    to: '  return false;',
  },
  {
    name: 'a pull leaves the addresses of files as they are in the space',
    file: 'src/sync/write-folder.ts',
    from: '(leads(url) && !isSentAtRoot)',
    to: 'leads(url)',
  },
  {
    name: 'the layout of a push names the pictures of an older folder',
    file: 'src/sync/three-way/merge-files.ts',
    from: '  if (!baseLayout) return new Map(names);\n',
    to: '  if (names.size > 0) return new Map(names);\n',
    steps: 'picture|push|pull|origin',
  },
];
