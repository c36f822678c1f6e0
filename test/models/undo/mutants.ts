import type { Mutant } from '../model.ts';

const undo = 'src/journal/undo.ts';
const states = 'src/journal/inverse/states.ts';
const inverses = 'src/journal/inverse/inverses.ts';
const places = 'src/journal/inverse/places.ts';
const objects = 'src/journal/inverse/objects.ts';

export const mutants: Mutant[] = [
  {
    name: 'changes made in the meantime are overwritten',
    file: undo,
    from: "    if (state === 'as after') plan.steps.push(step);\n    else if (state !== 'as before') plan.changed.push({ address: addressOf(sent), reason: state });\n",
    to: '    plan.steps.push(step);\n',
    steps: 'edit$',
  },
  {
    name: 'an object that was changed since counts as undone',
    file: undo,
    from: "else if (state !== 'as before') plan.changed.push({ address: addressOf(sent), reason: state });",
    to: '',
  },
  {
    name: 'changes are undone from the first to the last',
    file: undo,
    from: 'entry.changes.toReversed()',
    to: 'entry.changes',
  },
  {
    name: 'a space or collection moves back to the end of its list',
    file: places,
    from: 'return [undoRequest(endpoint, params, { parent, position })];',
    to: 'return [undoRequest(endpoint, params, { parent, position: {} })];',
    steps: '^(spaces|collections) move',
  },
  {
    name: 'a collection without spaces is moved where it is already',
    file: places,
    from: 'if (!isDeepStrictEqual(before, after)) return undoMove(change, before);',
    to: 'if (before) return undoMove(change, before);',
    steps: '^collections move',
  },
  {
    name: 'items of a site do not return to their places',
    file: places,
    from: 'if (position) requests.push(',
    to: 'if (position && id === "") requests.push(',
  },
  {
    name: 'owners of a team return as members',
    file: states,
    from: 'roles.push([membership.id, { role: membership.role }])',
    to: "roles.push([membership.id, { role: 'member' }])",
  },
  {
    name: 'people who were added to a team stay in it',
    file: states,
    from: 'else remove.push(name);',
    to: '',
  },
  {
    name: 'reactions to comments stay',
    file: states,
    from: "if (removed.length > 0) body['removedReactions'] = removed;",
    to: '',
    steps: '^comments edit',
  },
  {
    name: 'a published site stays published',
    file: states,
    from: "if (before['published'] === after?.['published']) return [];",
    to: 'return [];',
  },
  {
    name: 'only the first of several fields is restored',
    file: objects,
    from: '      : changed;\n',
    to: '      : changed.slice(0, 1);\n',
  },
  {
    name: 'a space that was created with a site stays',
    file: inverses,
    from: "typeof body['spaces'] === 'string'",
    to: "body['spaces'] === 0",
  },
  {
    name: 'the first section of a site is removed without the others',
    file: inverses,
    from: "if (change.before['type'] !== 'sections')",
    to: "if (change.before['type'] === 'none')",
  },
];
