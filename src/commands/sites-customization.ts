import { nearest } from '../cli/derive.ts';
import { UsageError } from '../cli/failure.ts';
import { argument, fileText, type Invocation } from '../cli/invocation.ts';
import { paramsOf, printAnswer, printRequest } from '../cli/run.ts';
import { askedOf, type Field } from '../contract/fields.ts';
import { siteCustomization } from '../contract/siteCustomization.ts';

type Settings = Record<string, unknown>;

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces the settings by those of a file, or changes single ones. */
export async function set(invocation: Invocation): Promise<void> {
  const { args, flags, globals } = invocation;
  const changes = ((flags.set as string[] | undefined) ?? []).map(changeOf);
  if (args.file === undefined && changes.length === 0) {
    throw new UsageError('<file> is missing.', 'Give a file with all settings, or single ones with --set path=value.');
  }
  const params = (await paramsOf(invocation)) as { orgId: string; siteId: string };
  const client = await invocation.client();
  const settings = (
    typeof args.file === 'string' ? await settingsIn(args.file) : await client.call(siteCustomization.view, { params })
  ) as Settings;
  for (const { path, value } of changes) {
    if (!holds(settings, path)) refuseUnknown(path, askedOf(siteCustomization.set).body);
    put(settings, path, value);
  }
  const call = { endpoint: siteCustomization.set, params, query: {}, body: settings };
  if (globals.dryRun) return printRequest(invocation, call);
  await printAnswer(
    invocation,
    call.endpoint,
    await client.call(siteCustomization.set, { params, body: settings as never }),
  );
}

/** The body of a schema: the file's, or what it holds of an answer. */
export async function schemaBody(invocation: Invocation): Promise<Settings> {
  const given = await settingsIn(argument(invocation, 'file'));
  return { jsonSchema: given.object === 'site-adaptive-schema' || 'jsonSchema' in given ? given.jsonSchema : given };
}

/** @throws UsageError for what is neither a JSON nor a YAML object */
async function settingsIn(file: string): Promise<Settings> {
  const text = fileText(file, '<file>');
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    // YAML holds JSON, but says of faulty JSON what is wrong with it as YAML.
    value = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text);
  } catch (error) {
    throw new UsageError(`${file}: this is neither JSON nor YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(
    `${file}: there is no object in it.`,
    'It must hold settings as "... view -o yaml" prints them.',
  );
}

function changeOf(text: string): { path: string[]; value: unknown } {
  const [, path, value] = /^([\w.]+)=(.*)$/s.exec(text) ?? [];
  if (path === undefined) {
    throw new UsageError(`--set: "${text}" is not path=value.`, 'For example --set styling.theme=bold.');
  }
  return { path: path.split('.'), value: valueOf(value!) };
}

const holds = (settings: unknown, [first, ...rest]: string[]): boolean =>
  first === undefined || (isObject(settings) && Object.hasOwn(settings, first) && holds(settings[first], rest));

/** @throws UsageError for a setting that there is not, with the nearest one; the service would leave it out */
function refuseUnknown(path: string[], settings: Field | undefined): void {
  let at = settings;
  for (const [depth, name] of path.entries()) {
    if (at?.kind !== 'object' || !at.members) return;
    if (!Object.hasOwn(at.members, name)) {
      const above = path.slice(0, depth).map((word) => `${word}.`);
      const names = Object.keys(at.members);
      const near = nearest(name, names);
      throw new UsageError(
        `--set: there is no setting "${path.join('.')}".`,
        near
          ? `Did you mean "${above.join('')}${near}"?`
          : `${depth > 0 ? `In "${path.slice(0, depth).join('.')}" there` : 'There'} are ${names.join(', ')}.`,
      );
    }
    at = at.members[name];
  }
}

/** JSON where it is some, else the text itself. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function put(target: Settings, [first, ...rest]: string[], value: unknown): void {
  const name = first!;
  if (rest.length > 0) {
    if (!Object.hasOwn(target, name) || !isObject(target[name])) target[name] = {};
    put(target[name] as Settings, rest, value);
  } else if (value === null) delete target[name];
  else target[name] = value;
}
