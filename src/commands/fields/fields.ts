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
    help: {
      description:
        'Fields of the organization, oldest first. Every space has them; values are set by "fields values set".',
      examples: [
        { run: 'docsctl fields list', does: 'All fields' },
        { run: 'docsctl fields list -o id', does: 'Their names alone' },
      ],
      seeAlso: ['fields values view', 'fields create'],
    },
    output,
  }),
  command({
    use: 'create',
    endpoint: fields.create,
    help: {
      description: 'Name and type cannot change later. Only select fields have options, and they need them.',
      examples: [
        { run: 'docsctl fields create --name review-by --type text --title "Review by"', does: 'A text' },
        {
          run: 'docsctl fields create --name stage --type select:single --options draft,final',
          does: 'One of several words',
        },
      ],
      exitStatuses: { 6: 'the name is taken, or the options do not fit the type' },
      seeAlso: ['fields values set', 'fields edit'],
    },
    output,
  }),
  command({
    use: 'view <name>',
    endpoint: fields.view,
    help: {
      description: 'A field is called by its name, not by its id.',
      examples: [
        { run: 'docsctl fields view audience', does: 'One field' },
        { run: 'docsctl fields view audience --jq ".options[]"', does: 'Its options, one a line' },
      ],
      seeAlso: ['fields edit', 'fields values view'],
    },
    output,
  }),
  command({
    use: 'edit <name>',
    endpoint: fields.edit,
    help: {
      description:
        'Name and type stay as they are. --options sets all options anew: values with one that is left out lose it, in all spaces and for good, which is asked about first.',
      examples: [
        { run: 'docsctl fields edit owner --title "Responsible" --placeholder "A name"', does: 'Another title' },
        {
          run: 'docsctl fields edit audience --options operators,fitters,partners,resellers --yes',
          does: 'One option more',
        },
      ],
      exitStatuses: { 6: 'the type has no options, or a value does not fit' },
      seeAlso: ['fields view'],
    },
    output,
    confirm: {
      question: 'Set the options of {} anew? Values with other options are dropped in all spaces.',
      when: ({ options }) => options !== undefined,
    },
  }),
  command({
    use: 'delete <name...>',
    endpoint: fields.delete,
    help: {
      description: 'Its values go with it, in all spaces of the organization. There is no way back.',
      examples: [
        { run: 'docsctl fields delete reviewed --yes', does: 'Delete a field without being asked' },
        { run: 'docsctl fields delete reviewed owner --dry-run', does: 'Show the requests only' },
      ],
      seeAlso: ['fields values set'],
    },
    output: {
      done: 'Deleted {}.',
    },
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
        help: {
          description: 'All fields of the organization, with what this space says in them.',
          examples: [
            { run: 'docsctl fields values view --space handbook0001', does: 'Values of a space' },
            {
              run: 'docsctl fields values view --space handbook0001 --jq ".[] | select(.value == null) | .customField.name"',
              does: 'Fields without a value',
            },
          ],
          seeAlso: ['fields values set', 'fields list'],
        },
        output: {
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
        endpoint: fields.setValues,
        help: {
          description:
            'Each value is given as name=value, several words of one field with commas, and nothing after the sign clears it. Fields that are not named stay as they are. The type of each field decides how its value is read.',
          examples: [
            {
              run: 'docsctl fields values set audience=operators,fitters reviewed=true --space handbook0001',
              does: 'Two values',
            },
            { run: 'docsctl fields values set owner= --space handbook0001', does: 'Clear a value' },
            {
              run: 'docsctl fields values set owner="Grace Hopper" --space handbook0001 --dry-run',
              does: 'Show the request only',
            },
          ],
          exitStatuses: { 6: 'a value does not fit its field' },
          seeAlso: ['fields values view'],
        },
        input: {
          pairs: { values: { object: 'fieldName' } },
          without: ['values'],
          sources: { '/values': ['<values>'] },
        },
        run: async (invocation) => (await import('./set.ts')).setValues(invocation),
      }),
    ],
  },
];
export default nodes;
