import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { translations } from '../../contract/translations.ts';
import { created, id, title, updated } from '../shared/columns.ts';

const columns: Column[] = [title, { key: 'languages', kind: 'list' }, updated, id];
const card: Column[] = [title, id, { key: 'languages', kind: 'list' }, created, updated];

const output = { columns, card };

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: translations.list,
    description: 'Newest first, with language codes.',
    examples: {
      'List all translation settings': 'docsctl translations list',
      'Print the languages of each': 'docsctl translations list --jq ".[].languages"',
    },
    seeAlso: ['translations create'],
    output,
  }),
  command({
    use: 'create',
    endpoint: translations.create,
    description: 'Sets the languages into which content is translated. Does not start a translation.',
    examples: {
      'Create settings with three languages':
        'docsctl translations create --title "API languages" --languages en,de,ja',
      'Start with English': 'docsctl translations create --title "API languages"',
    },
    exitStatuses: { 6: 'a language is repeated, or a value is invalid' },
    seeAlso: ['translations edit'],
    output,
  }),
  command({
    use: 'view <translation>',
    endpoint: translations.view,
    description: 'Shows the language codes.',
    examples: {
      'View settings': 'docsctl translations view translate001',
      'Print everything as YAML': 'docsctl translations view translate001 -o yaml',
    },
    seeAlso: ['translations edit'],
    output,
  }),
  command({
    use: 'edit <translation...>',
    endpoint: translations.edit,
    description: 'Fields that you do not pass stay unchanged; --languages replaces all languages.',
    examples: {
      'Add a language': 'docsctl translations edit translate001 --languages en,de,fr,es',
      'Change the title': 'docsctl translations edit translate001 --title Languages',
    },
    exitStatuses: { 6: 'a language is repeated, or a value is invalid' },
    seeAlso: ['translations view'],
    input: {
      singular: ['title'],
      needsChange: true,
      // The service requires a title in every change, so send the current one by default.
      async body(invocation, { orgId = '', translationSettingsId = '' }) {
        const { flags } = invocation;
        if (flags.title !== undefined || flags.data !== undefined || flags.languages === undefined) return {};
        const client = await invocation.client();
        const current = await client.call(translations.view, { params: { orgId, translationSettingsId } });
        return { title: current.title };
      },
    },
    output,
  }),
  command({
    use: 'delete <translation...>',
    endpoint: translations.delete,
    description: 'Translated content is not deleted.',
    examples: {
      'Delete without confirmation': 'docsctl translations delete translate001 --yes',
      'Delete all settings': 'docsctl translations list -o id | docsctl translations delete - --yes',
    },
    seeAlso: ['translations list'],
    output: { done: 'Deleted {}.' },
    confirm: { question: 'Delete the translation settings {}?' },
  }),
];
export default nodes;
