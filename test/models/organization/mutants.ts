import type { Mutant } from '../model.ts';

const exported = 'src/organization/files/exported-folder.ts';
const baseline = 'src/organization/state/baseline.ts';
const recorder = 'src/organization/apply/state-recorder.ts';

export const mutants: Mutant[] = [
  {
    name: 'an apply ignores what another one applied since its plan',
    file: 'src/organization/apply/take-lease.ts',
    from: 'isOutdated = isNewer(state, made.shared);',
    to: 'isOutdated = false;',
    steps: 'applies|title|role',
  },
  {
    name: 'an object without a file is not managed',
    file: baseline,
    from: 'return this.#state !== undefined && objectIn(this.#state, kind, keyOf(kind, name))?.base !== undefined;',
    to: 'return false;',
  },
  {
    name: 'the base of objects is forgotten',
    file: recorder,
    from: 'before?.base : hashesOf(kind, object, source.read.secrets);',
    to: 'before?.base : new Set<string>();',
  },
  {
    name: 'the ID of an object that was created is forgotten',
    file: recorder,
    from: '{ ...(id !== undefined && { id }), ...(base && { base }) }',
    to: '{ ...(base && { base }) }',
  },
  {
    name: 'what was applied without a commit is the base of every clone',
    file: recorder,
    from: 'const base = isKept ? before?.base :',
    to: 'const base = isKept === undefined ? before?.base :',
  },
  {
    name: 'an export takes the files of a clone for those of the last export',
    file: 'src/organization/export.ts',
    from: 'if (exported.get(name) === space.revision &&',
    to: 'if ((lock.revisions.get(name) ?? exported.get(name)) === space.revision &&',
    steps: 'exports|renames|edits|changes',
  },
  {
    name: 'the last apply of a commit is not recorded',
    file: recorder,
    from: 'state.applies.push(entry);',
    to: 'state.applies.length = 0;',
  },
  {
    name: 'renamed files are not recognized',
    file: 'src/organization/plan/make-plan.ts',
    from: '} = findRenames({ lock, state: shared?.state }, read);',
    to: '} = { renames: [], possible: [], ...(read.moved.size < 0 && findRenames({ lock, state: shared?.state }, read)) };',
  },
  {
    name: 'an export replaces files that were edited',
    file: exported,
    from: 'return this.#options.overwrite || this.#lock.files.get(path) === hashOf(present);',
    to: 'return this.#options.overwrite || hashOf(present) !== path;',
  },
  {
    name: 'an export restores files that were removed',
    file: exported,
    from: 'return !this.#options.overwrite && this.#lock.files.has(path) &&',
    to: 'return this.#options.overwrite && this.#lock.files.has(path) &&',
    steps: 'exports|removes',
  },
  {
    name: '--keep-drift reverts what the service changed',
    file: 'src/organization/plan/keep-drift.ts',
    from: 'Reflect.get(after, field) === undefined || !baseline.isUnchanged(kind, name, field)',
    to: 'Reflect.get(after, field) === undefined || baseline.isUnchanged(kind, name, field) !== undefined',
    steps: '(applies|origin) --keep-drift|changes|gives',
  },
];
