import type { Branch } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { siteSchema } from '../../contract/site-schema.ts';

const schemaColumns: Column<AnswerOf<typeof siteSchema.view>>[] = [
  { key: 'updatedAt', title: 'Updated', kind: 'date' },
  { key: 'properties', title: 'Attributes', value: ({ jsonSchema }) => Object.keys(jsonSchema.properties) },
];

const onSite = '--site lumensite001';

export const schemaCommands: Branch = {
  name: 'schema',
  summary: 'visitor attributes for adaptive content',
  children: [
    command({
      use: 'view',
      endpoint: siteSchema.view,
      description: 'The schema is a JSON Schema of the visitor attributes. A site has none until you set it.',
      examples: {
        'Show the schema': `docsctl sites schema view ${onSite} -o json`,
        'List the attributes': `docsctl sites schema view ${onSite} --jq ".jsonSchema.properties | keys"`,
      },
      exitStatuses: { 5: 'no such site, or its schema was never set' },
      seeAlso: ['sites schema set'],
      output: { columns: schemaColumns },
    }),
    command({
      use: 'set <file>',
      endpoint: siteSchema.set,
      description:
        'The file contains a JSON Schema (draft 7) in JSON or YAML, or the output of "sites schema view -o json"; - for standard input. Use "sites edit --adaptive-content-enabled" to turn adaptive content on.',
      examples: {
        'Copy the schema of another site': `docsctl sites schema view ${onSite} -o json | docsctl sites schema set - --site intranet0001`,
        'Add an attribute': `docsctl sites schema view ${onSite} --jq '.jsonSchema.properties.age = {type:"number",description:"Age"}' | docsctl sites schema set - ${onSite}`,
      },
      exitStatuses: { 6: 'the schema is invalid' },
      seeAlso: ['sites schema view', 'sites edit'],
      input: {
        without: ['jsonSchema'],
        sources: { '/jsonSchema': ['<file>'] },
        body: async (invocation) => (await import('./customization.ts')).schemaBody(invocation),
      },
      output: { columns: schemaColumns },
    }),
  ],
};
