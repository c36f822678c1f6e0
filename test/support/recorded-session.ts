import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { bin, makeHome, removeHome, serve } from './cli.ts';

/** Who has a profile in the session. */
const people = {
  agent: 'person391@lumen.example',
  ada: 'person1@lumen.example',
  ingrid: 'person251@lumen.example',
};

/** A page whose `console` blocks have the output of their commands, run now in a new home, with the demo in a service. */
export async function recordedSession(page: string): Promise<string> {
  const home = await makeHome();
  const env = { ...home.env, PATH: `${join(home.dir, 'tools')}:${process.env.PATH}` };
  await mkdir(join(home.dir, 'tools'));
  await writeFile(join(home.dir, 'tools', 'docsctl'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, {
    mode: 0o755,
  });
  const shell = async (script: string) => {
    // In the order in which they are written, as in a terminal: two pipes could be read in another one.
    const { stdout } = await execa('bash', ['-c', `exec 2>&1\n${script}`], {
      cwd: home.dir,
      env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    return stdout;
  };
  const database = join(home.dir, 'served.db');
  const served = await serve(home, '--db', database, '--seed', 'demo', '--log', 'off');
  try {
    for (const [profile, user] of Object.entries(people))
      await shell(
        `docsctl serve token create --db ${database} --user ${user} --jq .token | docsctl auth login --with-token --url ${served.url} --profile ${profile}`,
      );
    let recorded = '';
    let end = 0;
    let invite = '';
    // Without what differs from run to run.
    const shown = (output: string) =>
      output
        .replaceAll(invite === '' ? '\0' : invite, 'INVITE')
        .replaceAll(served.organization, 'ORG')
        .replaceAll(/(?<=DELETE \/v1\/collections\/)\w{12}/g, 'COLLECTION')
        .replaceAll(/[ \t]+$/gm, '');
    for (const { 0: block, 1: text = '', index } of page.matchAll(/^```console\n([^]*?)^```$/gm)) {
      const lines: string[] = [];
      for (const command of text.match(/^\$ .*\n(?:^> .*\n)*/gm) ?? []) {
        const output = await shell(command.replaceAll(/^[$>] /gm, '').replace('INVITE', invite));
        invite = /invites accept (\w+)/.exec(output)?.[1] ?? invite;
        lines.push(command.trimEnd(), ...(output === '' ? [] : [shown(output)]));
      }
      recorded += `${page.slice(end, index)}\`\`\`console\n${lines.join('\n')}\n\`\`\``;
      end = index + block.length;
    }
    return recorded + page.slice(end);
  } finally {
    await served.stop();
    await removeHome(home);
  }
}
