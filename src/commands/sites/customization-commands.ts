import type { Branch } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { siteCustomization } from '../../contract/site-customization.ts';

const onSite = '--site lumensite001';

export const customizationCommands: Branch = {
  name: 'customization',
  summary: 'how a site looks',
  children: [
    command({
      use: 'view',
      endpoint: siteCustomization.view,
      help: {
        description: 'Shows all settings. "sites customization set" takes what -o json or -o yaml prints.',
        examples: [
          { run: `docsctl sites customization view ${onSite} -o yaml`, does: 'All settings' },
          { run: `docsctl sites customization view ${onSite} --jq .styling.theme`, does: 'One of them' },
        ],
        seeAlso: ['sites customization set'],
      },
    }),
    command({
      use: 'set [file]',
      endpoint: siteCustomization.set,
      help: {
        description:
          'A file (JSON, YAML, or - for standard input) replaces all settings. --set changes single settings and leaves the rest unchanged; with a file, it changes the settings of the file.',
        examples: [
          {
            run: `docsctl sites customization set --set styling.theme=bold --set themes.default=dark ${onSite}`,
            does: 'Two settings',
          },
          {
            run: `docsctl sites customization view ${onSite} -o yaml | docsctl sites customization set - --site intranet0001`,
            does: 'The settings of one site for another',
          },
          {
            run: `docsctl sites customization set --set footer.copyright="2026 Lumen" ${onSite} --dry-run`,
            does: 'Show the request only',
          },
        ],
        exitStatuses: { 6: 'a setting has a value that is not valid' },
        seeAlso: ['sites customization view'],
      },
      input: {
        without: 'all',
        flags: [
          {
            flags: '--set <path=value>',
            description: 'change one setting: styling.theme=bold (repeatable); null removes it',
            repeatable: 'verbatim',
          },
        ],
        sources: { '': ['--set', '<file>'] },
      },
      writesFilesWith: [],
      run: async (invocation) => (await import('./customization.ts')).set(invocation),
    }),
  ],
};
