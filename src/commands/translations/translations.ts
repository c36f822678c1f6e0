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
    help: {
      description: 'Newest first, with language codes.',
      examples: [
        { run: 'docsctl translations list', does: 'List all translation settings' },
        { run: 'docsctl translations list --jq ".[].languages"', does: 'Print the languages of each' },
      ],
      seeAlso: ['translations create'],
    },
    output,
  }),
  command({
    use: 'create',
    endpoint: translations.create,
    help: {
      description: 'Sets the languages into which content is translated. Does not start a translation.',
      examples: [
        {
          run: 'docsctl translations create --title "API languages" --languages en,de,ja',
          does: 'Create settings with three languages',
        },
        { run: 'docsctl translations create --title "API languages"', does: 'Start with English' },
      ],
      exitStatuses: { 6: 'a language is repeated, or a value is invalid' },
      seeAlso: ['translations edit'],
    },
    output,
  }),
  command({
    use: 'view <translation>',
    endpoint: translations.view,
    help: {
      description: 'Shows the language codes.',
      examples: [
        { run: 'docsctl translations view translate001', does: 'View settings' },
        { run: 'docsctl translations view translate001 -o yaml', does: 'Print everything as YAML' },
      ],
      seeAlso: ['translations edit'],
    },
    output,
  }),
  command({
    use: 'edit <translation...>',
    endpoint: translations.edit,
    help: {
      description: 'Fields that you do not pass stay unchanged; --languages replaces all languages.',
      examples: [
        { run: 'docsctl translations edit translate001 --languages en,de,fr,es', does: 'Add a language' },
        { run: 'docsctl translations edit translate001 --title Languages', does: 'Change the title' },
      ],
      exitStatuses: { 6: 'a language is repeated, or a value is invalid' },
      seeAlso: ['translations view'],
    },
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
    help: {
      description: 'Translated content is not deleted.',
      examples: [
        { run: 'docsctl translations delete translate001 --yes', does: 'Delete without confirmation' },
        { run: 'docsctl translations list -o id | docsctl translations delete - --yes', does: 'Delete all settings' },
      ],
      seeAlso: ['translations list'],
    },
    output: { done: 'Deleted {}.' },
    confirm: { question: 'Delete the translation settings {}?' },
  }),
];
export default nodes;
