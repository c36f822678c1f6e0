import type { Invocation } from '../../cli/command/command.ts';
import { argument } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { dryRun } from '../../cli/command/dry-run/dry-run.ts';
import { printAnswer } from '../../cli/command/list.ts';
import { paramsOf } from '../../cli/command/request.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type Field, fieldsOf } from '../../contract/fields.ts';
import { siteCustomization } from '../../contract/site-customization.ts';
import { siteSchema } from '../../contract/site-schema.ts';
import { checkKeys, type UnknownKey } from '../../contract/unknown-keys.ts';
import { isObject } from '../../shared/is-object.ts';
import { nearest } from '../../shared/suggest.ts';

type Settings = Record<string, unknown>;
type Arguments = { file?: string | undefined };

/** Replaces the settings with those of a file, or changes single settings. */
export async function set(
  invocation: Invocation<Arguments, { set?: string[] | undefined }, typeof siteCustomization.set>,
): Promise<void> {
  const { args, flags, globals } = invocation;
  const changes = (flags.set ?? []).map(changeOf);
  if (args.file === undefined && changes.length === 0) {
    throw new UsageError(
      '<file> is missing.',
      'Pass a file with all settings, or single settings with --set path=value.',
    );
  }
  const params = await paramsOf(invocation);
  const client = await invocation.client();
  const settings: Settings =
    args.file === undefined ? await client.call(siteCustomization.view, { params }) : await settingsIn(args.file);
  for (const { path, value } of changes) {
    if (!holds(settings, path)) refuseUnknown(path, fieldsOf(siteCustomization.set).body);
    put(settings, path, value);
  }
  const misspelled = checkKeys(siteCustomization.set.definition.body(), settings).unknown;
  if (misspelled.length > 0) {
    // A newer service may have settings that this version does not know.
    const current = await client.call(siteCustomization.view, { params });
    refuseUnknownKeys(
      misspelled.filter(({ at }) => !holds(current, at.map(String))),
      args.file ?? '--set',
    );
  }
  // The service validates the settings and lists each invalid one.
  const endpoint: Endpoint = siteCustomization.set;
  if (globals.dryRun) return dryRun(invocation, { endpoint, params, body: settings });
  const answer = await client.call(endpoint, { params, body: settings });
  for (const path of notDrawn.filter((each) => isOn(settings, each)))
    await invocation.io.note(`${path}: the pages of serve, preview and export do not show it.`);
  await printAnswer(invocation, { endpoint, params }, answer);
}

/** Settings that need the service, such as a place for the answers of readers. */
const notDrawn = ['feedback.enabled', 'ai.mode', 'advancedCustomization.enabled'];

function isOn(settings: Settings, path: string): boolean {
  const value = path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), settings);
  return value === true || (typeof value === 'string' && value !== 'none');
}

/** The request body from a file with a schema, or with a response that contains one. */
export async function schemaBody(invocation: Invocation<Arguments>): Promise<Settings> {
  const content = await settingsIn(argument(invocation, 'file'));
  const isAnswer = content.object === 'site-adaptive-schema' || 'jsonSchema' in content;
  const body = { jsonSchema: isAnswer ? content.jsonSchema : content };
  refuseUnknownKeys(checkKeys(siteSchema.set.definition.body(), body).unknown, argument(invocation, 'file'));
  return body;
}

/** @throws UsageError for unknown keys, which the service would ignore, with the nearest name */
function refuseUnknownKeys(unknown: readonly UnknownKey[], source: string): void {
  const [first, ...others] = unknown;
  if (!first) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new UsageError(
    `${source}: there is no setting "${first.at.join('.')}"${more}.`,
    first.near === undefined
      ? `There are ${first.names.join(', ')}.`
      : `Did you mean "${[...first.at.slice(0, -1), first.near].join('.')}"?`,
  );
}

/** @throws UsageError if the file does not contain a JSON or YAML object */
async function settingsIn(file: string): Promise<Settings> {
  const text = fileText(file, '<file>');
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    // YAML includes JSON, but its parser reports invalid JSON as invalid YAML.
    value = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new UsageError(`${file}: the file is neither JSON nor YAML: ${reason}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(
    `${file}: the file does not contain an object.`,
    'Pass settings in the form that "... view -o yaml" prints.',
  );
}

function changeOf(text: string): { path: string[]; value: unknown } {
  const [, path, value = ''] = /^([\w.]+)=(.*)$/s.exec(text) ?? [];
  if (path === undefined)
    throw new UsageError(`--set: "${text}" is not path=value.`, 'For example --set styling.theme=bold.');
  return { path: path.split('.'), value: valueOf(value) };
}

const holds = (settings: unknown, [first, ...rest]: string[]): boolean =>
  first === undefined || (isObject(settings) && Object.hasOwn(settings, first) && holds(settings[first], rest));

/** @throws UsageError for an unknown setting, which the service would ignore, with the nearest name */
function refuseUnknown(path: string[], settings: Field | undefined): void {
  let field = settings;
  for (const [depth, name] of path.entries()) {
    if (field?.kind !== 'object' || !field.members) return;
    if (!Object.hasOwn(field.members, name)) {
      const above = path.slice(0, depth).map((word) => `${word}.`);
      const names = Object.keys(field.members);
      const near = nearest(name, names);
      throw new UsageError(
        `--set: there is no setting "${path.join('.')}".`,
        near
          ? `Did you mean "${above.join('')}${near}"?`
          : `${depth > 0 ? `In "${path.slice(0, depth).join('.')}" there` : 'There'} are ${names.join(', ')}.`,
      );
    }
    field = field.members[name];
  }
}

/** Parses JSON, and returns other text unchanged. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function put(target: Settings, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length > 0) {
    const current = Object.hasOwn(target, name) ? target[name] : undefined;
    const inner = isObject(current) ? current : {};
    target[name] = inner;
    put(inner, rest, value);
  } else if (value === null) delete target[name];
  else target[name] = value;
}
