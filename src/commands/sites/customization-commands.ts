import type { Branch } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { siteCustomization } from '../../contract/site-customization.ts';

const onSite = '--site lumensite001';

export const customizationCommands: Branch = {
  name: 'customization',
  summary: 'customization of a site',
  children: [
    command({
      use: 'view',
      endpoint: siteCustomization.view,
      description: 'Shows all settings. "sites customization set" accepts the output of -o json and -o yaml.',
      examples: {
        'Show all settings': `docsctl sites customization view ${onSite} -o yaml`,
        'Show one setting': `docsctl sites customization view ${onSite} --jq .styling.theme`,
      },
      seeAlso: ['sites customization set'],
    }),
    command({
      use: 'set [file]',
      endpoint: siteCustomization.set,
      description:
        'A file (JSON or YAML; - for standard input) replaces all settings. --set changes single settings and keeps the rest; with a file, it overrides settings in the file.',
      examples: {
        'Change two settings': `docsctl sites customization set --set styling.theme=bold --set themes.default=dark ${onSite}`,
        'Copy the settings of another site': `docsctl sites customization view ${onSite} -o yaml | docsctl sites customization set - --site intranet0001`,
        'Preview the request': `docsctl sites customization set --set footer.copyright="2026 Lumen" ${onSite} --dry-run`,
      },
      exitStatuses: { 6: 'a setting has an invalid value' },
      seeAlso: ['sites customization view'],
      flags: [
        {
          flags: '--set <path=value>',
          description: 'change one setting: styling.theme=bold (repeatable); null removes it',
          repeatable: 'verbatim',
        },
      ],
      input: {
        without: 'all',

        sources: { '': ['--set', '<file>'] },
      },
      writesFilesWith: [],
      run: async (invocation) => (await import('./customization.ts')).set(invocation),
    }),
  ],
};
