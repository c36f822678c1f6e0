import type { Invocation } from '../cli/invocation.ts';
import type { Column } from '../cli/output/index.ts';
import { paramsOf } from '../cli/run.ts';
import type { Node } from '../cli/tree.ts';
import { translations } from '../contract/translations.ts';
import { created, id, title, updated } from './columns.ts';

const columns: Column[] = [title, { key: 'languages', kind: 'list' }, updated, id];
const card: Column[] = [title, id, { key: 'languages', kind: 'list' }, { ...created }, { ...updated }];

/** The service wants the title each time; what is not named stays. */
async function presentTitle(invocation: Invocation): Promise<Record<string, unknown>> {
  const { flags } = invocation;
  if (flags.title !== undefined || flags.data !== undefined) return {};
  const params = (await paramsOf(invocation)) as { orgId: string; translationSettingsId: string };
  const { title: present } = await (await invocation.client()).call(translations.view, { params });
  return { title: present };
}

const nodes: Node[] = [
  {
    use: 'list',
    endpoint: translations.list,
    description: 'Newest first, each with the codes of its languages.',
    columns,
    examples: [
      { run: 'docsctl translations list', does: 'All translation settings' },
      { run: 'docsctl translations list --jq ".[].languages"', does: 'The languages of each' },
    ],
    see: ['translations create'],
  },
  {
    use: 'create',
    endpoint: translations.create,
    description: 'Says into which languages content is translated. Nothing is translated by this alone.',
    columns,
    card,
    examples: [
      { run: 'docsctl translations create --title "API languages" --languages en,de,ja', does: 'Three languages' },
      { run: 'docsctl translations create --title "API languages"', does: 'English to begin with' },
    ],
    exits: { 6: 'a language is named twice, or a value does not fit' },
    see: ['translations edit'],
  },
  {
    use: 'view <translation>',
    endpoint: translations.view,
    description: 'Languages are shown by their codes.',
    columns,
    card,
    examples: [
      { run: 'docsctl translations view translate001', does: 'One of them' },
      { run: 'docsctl translations view translate001 -o yaml', does: 'All of it' },
    ],
    see: ['translations edit'],
  },
  {
    use: 'edit <translation>',
    endpoint: translations.edit,
    body: presentTitle,
    description: 'What is not named stays as it is; --languages sets all languages anew.',
    columns,
    card,
    examples: [
      { run: 'docsctl translations edit translate001 --languages en,de,fr,es', does: 'One language more' },
      { run: 'docsctl translations edit translate001 --title Languages', does: 'Another title' },
    ],
    exits: { 6: 'a language is named twice, or a value does not fit' },
    see: ['translations view'],
  },
  {
    use: 'delete <translation...>',
    endpoint: translations.delete,
    description: 'Translated content stays where it is.',
    confirm: { question: 'Delete the translation settings {}?' },
    done: 'Deleted {}.',
    examples: [
      { run: 'docsctl translations delete translate001 --yes', does: 'Delete without being asked' },
      { run: 'docsctl translations list -o id | docsctl translations delete - --yes', does: 'All of them' },
    ],
    see: ['translations list'],
  },
];
export default nodes;
