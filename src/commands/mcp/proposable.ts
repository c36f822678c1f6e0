import type { CommandLines, LineInput, ParsedLine } from '../../cli/command/command-lines.ts';
import { pathWords } from '../../cli/complete/command-line.ts';
import { rehearsalProblem } from '../../cli/lines/check-lines.ts';
import { Refusal } from '../../mcp/tool.ts';

/**
 * First words whose commands an agent may rehearse and propose. The others read files of this machine (`content`,
 * `openapi`), have the service or the copy fetch an address (`content import`), decide who can sign in (`sso`), send any
 * request (`api`), run lists from files (`run`, `each`), or administer this machine.
 */
const groups = new Set([
  'members',
  'teams',
  'invites',
  'spaces',
  'collections',
  'cr',
  'comments',
  'fields',
  'sites',
  'translations',
]);

/** Further commands, and those of the groups that do more than send the request that follows from their endpoint. */
const others = new Set([
  'orgs edit',
  'members edit',
  'invites send',
  'cr create',
  'cr merge',
  'cr update',
  'fields values set',
  'sites customization set',
  'replace',
  'links check',
]);

/** `--external` sends requests to addresses in pages. */
const refusedFlags = new Set(['--external', '--watch']);

const maxWords = 200;

/**
 * The words of a command line that an agent wants to rehearse or propose, if it only changes the service.
 *
 * @throws Refusal if the command is not for agents, or if a word names another service, a user or a file
 */
export async function proposableWords(words: readonly string[], lines: CommandLines): Promise<string[]> {
  const command = words[0] === 'docsctl' ? words.slice(1) : [...words];
  // A single word would be read as the file of a plan.
  if (command.length < 2 || command.length > maxWords)
    throw new Refusal(
      '"command" is a list of words, one for each part: ["spaces", "edit", "handbook", "--title=New"].',
    );
  const checked = await lines.check(command);
  if ('failure' in checked) throw new Refusal(textOf(checked.failure));
  const { path } = checked;
  if (!isProposable(checked))
    throw new Refusal(
      `Agents cannot use "${path}" here: it changes nothing on the service, or it reads or changes more than the service. The tool "help" has the commands.`,
    );
  refuseFlags(command, checked);
  for (const input of checked.inputs) refuseInput(input);
  const problem = rehearsalProblem(command, checked);
  if (problem) throw new Refusal(textOf(problem));
  return command;
}

/** Whether agents may use a command, with the right flags. */
export function isProposable({ path, command }: Pick<ParsedLine, 'path' | 'command'>): boolean {
  if (others.has(path)) return true;
  const [first = ''] = path.split(' ');
  return groups.has(first) && !command.run && command.endpoint !== undefined && command.endpoint.method !== 'GET';
}

/** Options of every command choose the service, the user or an output file, or answer questions. */
function refuseFlags(words: readonly string[], { path, ownFlags }: ParsedLine): void {
  const allowed = ownFlags.filter((flag) => !refusedFlags.has(flag));
  for (const word of words) {
    if (!word.startsWith('-') || allowed.includes(word.replace(/=.*/s, ''))) continue;
    throw new Refusal(
      `"${word.slice(0, 100)}" cannot be used here. "${path}" takes ${allowed.join(', ')}. Write a value that begins with - as --flag=value.`,
    );
  }
}

/** Texts that people write: only these may begin with @ or be a dash. */
const texts = new Set(['text', 'old', 'new']);

function refuseInput({ label, placeholder, values }: LineInput): void {
  if (Object.hasOwn(pathWords, placeholder))
    throw new Refusal(`${label} cannot be used here: it names a file. Pass the values themselves.`);
  if (texts.has(placeholder)) return;
  if (values.some(isRead))
    throw new Refusal(`${label} cannot be read from a file or from standard input here. Pass the value itself.`);
}

/** Whether a value is standard input, `@file` or the selector `file:people.csv`. */
const isRead = (value: string) => value === '-' || /^(?:@(?!me$)|file:)/i.test(value);

const textOf = ({ message, hint }: { message: string; hint?: string | undefined }) =>
  hint === undefined ? message : `${message} ${hint}`;
