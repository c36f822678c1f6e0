import type { Column } from '../cli/output/index.ts';
import type { Node } from '../cli/tree.ts';
import { fields } from '../contract/customFields.ts';
import { created, title, updated } from './columns.ts';

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
const shown = { columns, card, idKey: 'name' };

const nodes: Node[] = [
  {
    use: 'list',
    endpoint: fields.list,
    description:
      'Fields of the organization, oldest first. Every space has them; values are set by "fields values set".',
    ...shown,
    examples: [
      { run: 'docsctl fields list', does: 'All fields' },
      { run: 'docsctl fields list -o id', does: 'Their names alone' },
    ],
    see: ['fields values view', 'fields create'],
  },
  {
    use: 'create',
    endpoint: fields.create,
    description: 'Name and type cannot change later. Only select fields have options, and they need them.',
    ...shown,
    examples: [
      { run: 'docsctl fields create --name review-by --type text --title "Review by"', does: 'A text' },
      {
        run: 'docsctl fields create --name stage --type select:single --options draft,final',
        does: 'One of several words',
      },
    ],
    exits: { 6: 'the name is taken, or the options do not fit the type' },
    see: ['fields values set', 'fields edit'],
  },
  {
    use: 'view <name>',
    endpoint: fields.view,
    description: 'A field is called by its name, not by its id.',
    ...shown,
    examples: [
      { run: 'docsctl fields view audience', does: 'One field' },
      { run: 'docsctl fields view audience --jq ".options[]"', does: 'Its options, one a line' },
    ],
    see: ['fields edit', 'fields values view'],
  },
  {
    use: 'edit <name>',
    endpoint: fields.edit,
    description:
      'Name and type stay as they are. --options sets all options anew: values with one that is left out lose it, in all spaces and for good, which is asked about first.',
    ...shown,
    confirm: {
      question: 'Set the options of {} anew? Values with other options are dropped in all spaces.',
      when: ({ options }) => options !== undefined,
    },
    examples: [
      { run: 'docsctl fields edit owner --title "Responsible" --placeholder "A name"', does: 'Another title' },
      {
        run: 'docsctl fields edit audience --options operators,fitters,partners,resellers --yes',
        does: 'One option more',
      },
    ],
    exits: { 6: 'the type has no options, or a value does not fit' },
    see: ['fields view'],
  },
  {
    use: 'delete <name...>',
    endpoint: fields.delete,
    description: 'Its values go with it, in all spaces of the organization. There is no way back.',
    confirm: {
      question: 'Delete the custom field {} with its values in all spaces?',
      typed: { view: fields.view, title: (field) => field.name },
    },
    done: 'Deleted {}.',
    examples: [
      { run: 'docsctl fields delete reviewed --yes', does: 'Delete a field without being asked' },
      { run: 'docsctl fields delete reviewed owner --dry-run', does: 'Show the requests only' },
    ],
    see: ['fields values set'],
  },
  {
    name: 'values',
    summary: 'values of a space',
    children: [
      {
        use: 'view',
        endpoint: fields.viewValues,
        description: 'All fields of the organization, with what this space says in them.',
        columns: [
          { key: 'customField.name', title: 'Name', kind: 'id' },
          { key: 'value' },
          { key: 'customField.title', title: 'Title', optional: true },
          { key: 'customField.type', title: 'Type', optional: true },
        ],
        idKey: 'customField.name',
        examples: [
          { run: 'docsctl fields values view --space handbook0001', does: 'Values of a space' },
          {
            run: 'docsctl fields values view --space handbook0001 --jq ".[] | select(.value == null) | .customField.name"',
            does: 'Fields without a value',
          },
        ],
        see: ['fields values set', 'fields list'],
      },
      {
        use: 'set [values...]',
        endpoint: fields.setValues,
        pairs: { values: { object: 'fieldName' } },
        description:
          'Each value is given as name=value, several words of one field with commas, and nothing after the sign clears it. Fields that are not named stay as they are. The type of each field decides how its value is read.',
        without: ['values'],
        sources: { '/values': ['<values>'] },
        run: async (invocation) => (await import('./fields-set.ts')).setValues(invocation),
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
        exits: { 6: 'a value does not fit its field' },
        see: ['fields values view'],
      },
    ],
  },
];
export default nodes;
