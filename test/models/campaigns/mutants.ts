import type { Mutant } from '../model.ts';

const changes = 'src/links/space-changes.ts';

export const mutants: Mutant[] = [
  {
    name: 'what others write between the check and the call is lost',
    file: changes,
    from: 'changes = await overwritten(port.client, plan, changer, written);',
    to: 'changes = [];',
  },
  {
    name: 'each run creates a request of its own',
    file: changes,
    from: '{ existing: request } = await findRequest(port, space.id, { subject: changer.subject })',
    to: '{ existing: request } = await findRequest(port, space.id, { subject: `${changer.subject}?` })',
  },
  {
    name: 'pages that others changed in the request are overwritten',
    file: changes,
    from: 'else if (state && isSame(state, change.before)) changes.set(page.id, change);',
    to: 'else if (state) changes.set(page.id, change);',
  },
  {
    name: 'words in code are replaced',
    file: 'src/links/replace/replace-in.ts',
    from: 'regionsOf(source, of).filter(({ place }) => places.has(place))',
    to: 'regionsOf(source, of)',
  },
  {
    name: 'a fix writes another link',
    file: 'src/links/fix-folders.ts',
    from: 'if (change?.fix === undefined || change.url !== url) return url;',
    to: 'if (change?.fix === undefined) return byOffset.values().next().value?.fix ?? url;',
  },
  {
    name: 'a file that somebody saved meanwhile is overwritten',
    file: 'src/links/write-changed.ts',
    from: "if (!Buffer.from(before).equals(readFileSync(path))) return 'it has changed';",
    to: '',
  },
];
