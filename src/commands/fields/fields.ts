import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { fields } from '../../contract/custom-fields.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { created, title, updated } from '../shared/columns.ts';

const name: Column = { key: 'name', kind: 'id' };
const columns: Column[] = [
  name,
  title,
  { key: 'type' },
  { key: 'options', kind: 'list', optional: true },
  { key: 'description', optional: true },
  updated,
];
const card: Column[] = [
  name,
  title,
  { key: 'type' },
  { key: 'options', kind: 'list' },
  { key: 'description' },
  { key: 'placeholder' },
  created,
  updated,
];
const output = { columns, card, idKey: 'name' };

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: fields.list,
    description:
      'Oldest first. Every space of the organization has these fields; use "fields values set" to set values.',
    examples: { 'List all fields': 'docsctl fields list', 'Print names only': 'docsctl fields list -o id' },
    seeAlso: ['fields values view', 'fields create'],
    output,
  }),
  command({
    use: 'create',
    endpoint: fields.create,
    description: 'Name and type cannot be changed later. Select fields need options; other fields have none.',
    examples: {
      'Create a text field': 'docsctl fields create --name review-by --type text --title "Review by"',
      'Create a field with one of several values':
        'docsctl fields create --name stage --type select:single --options draft,final',
    },
    exitStatuses: { 6: 'the name is taken, or the options do not fit the type' },
    seeAlso: ['fields values set', 'fields edit'],
    output,
  }),
  command({
    use: 'view <name>',
    endpoint: fields.view,
    description: 'Takes the name of the field, not its ID.',
    examples: {
      'View a field': 'docsctl fields view audience',
      'Print its options, one per line': 'docsctl fields view audience --jq ".options[]"',
    },
    seeAlso: ['fields edit', 'fields values view'],
    output,
  }),
  command({
    use: 'edit <name...>',
    endpoint: fields.edit,
    description:
      'Name and type cannot be changed. --options replaces all options after a confirmation; options that you leave out are removed from the values in all spaces.',
    examples: {
      'Change the title': 'docsctl fields edit owner --title "Responsible" --placeholder "A name"',
      'Add an option': 'docsctl fields edit audience --options operators,fitters,partners,resellers --yes',
    },
    exitStatuses: { 6: 'the type has no options, or a value is invalid' },
    seeAlso: ['fields view'],
    input: { singular: ['title'] },
    output,
    confirm: {
      question: 'Replace the options of {}? Other options are removed from the values in all spaces.',
      when: ({ options }) => options !== undefined,
    },
  }),
  command({
    use: 'delete <name...>',
    endpoint: fields.delete,
    description: 'Deletes its values in all spaces, too. This cannot be undone.',
    examples: {
      'Delete without confirmation': 'docsctl fields delete reviewed --yes',
      'Preview the requests': 'docsctl fields delete reviewed owner --dry-run',
    },
    seeAlso: ['fields values set'],
    output: { done: 'Deleted {}.' },
    confirm: {
      question: 'Delete the custom field {} with its values in all spaces?',
      typed: { view: fields.view, title: (field: AnswerOf<typeof fields.view>) => field.name },
    },
  }),
  {
    name: 'values',
    summary: 'values of a space',
    children: [
      command({
        use: 'view',
        endpoint: fields.viewValues,
        description: 'Lists all fields of the organization with the values of this space.',
        examples: {
          'Show the values of a space': 'docsctl fields values view --space handbook0001',
          'List fields without a value':
            'docsctl fields values view --space handbook0001 --jq ".[] | select(.value == null) | .customField.name"',
        },
        seeAlso: ['fields values set', 'fields list'],
        output: {
          list: true,
          columns: [
            { key: 'customField.name', title: 'Name', kind: 'id' },
            { key: 'value' },
            { key: 'customField.title', title: 'Title', optional: true },
            { key: 'customField.type', title: 'Type', optional: true },
          ],
          idKey: 'customField.name',
        },
      }),
      command({
        use: 'set [values...]',
        prints: 'nothing',
        endpoint: fields.setValues,
        description:
          "Pass each value as name=value. Separate several values of one field with commas; name= clears the field. Other fields stay unchanged. The field's type determines how the value is parsed.",
        examples: {
          'Set two values': 'docsctl fields values set audience=operators,fitters reviewed=true --space handbook0001',
          'Clear a value': 'docsctl fields values set owner= --space handbook0001',
          'Preview the request': 'docsctl fields values set owner="Grace Hopper" --space handbook0001 --dry-run',
        },
        exitStatuses: { 6: 'a value is invalid for its field' },
        seeAlso: ['fields values view'],
        input: {
          pairs: { values: { object: 'fieldName' } },
          without: ['values'],
          sources: { '/values': ['<values>'] },
        },
        writesFilesWith: [],
        run: async (invocation) => (await import('./set.ts')).setValues(invocation),
      }),
    ],
  },
];
export default nodes;
