import { isObject } from '../../shared/is-object.ts';
import { EnvText } from '../../shared/yaml.ts';

export interface EnvReader {
  /** The value of a variable; undefined where it is not set. */
  variable(name: string): string | undefined;
  /** Called with each variable that has a value. */
  used(name: string, value: string): void;
  refuse(at: readonly PropertyKey[], message: string): void;
}

/** A copy of a value of limited size with other texts in the place of those that are marked with !env. */
export function mapEnvTexts(value: unknown, replace: (source: string, at: readonly PropertyKey[]) => string): unknown {
  const copy = (part: unknown, at: readonly PropertyKey[]): unknown => {
    if (part instanceof EnvText) return replace(part.source, at);
    if (Array.isArray(part)) return part.map((item, index) => copy(item, [...at, index]));
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, copy(member, [...at, key])]));
  };
  return copy(value, []);
}

/**
 * A text with the values of variables: of those that it has as `${NAME}`, or of the one whose name it is. What cannot be
 * replaced is refused.
 */
export function envText(source: string, at: readonly PropertyKey[], { variable, used, refuse }: EnvReader): string {
  if (isName(at)) {
    refuse(at, '!env cannot be used for the name of an object: docsctl.lock.json and other files hold it');
    return source;
  }
  const template = /^\w+$/.test(source) ? `\${${source}}` : source;
  const pattern = /\$\{([A-Za-z_]\w*)\}/g;
  if (!pattern.test(template) || /\$[\w{]/.test(template.replaceAll(pattern, ''))) {
    refuse(at, '!env takes the name of a variable, or a text with ${NAME} in it');
    return source;
  }
  return template.replaceAll(pattern, (_, name: string) => {
    const value = variable(name);
    if (value === undefined) refuse(at, `the variable ${name} is not set`);
    else if (value !== '') used(name, value);
    return value ?? '';
  });
}

/** Members that name an object of the files. */
const nameMembers: ReadonlySet<PropertyKey> = new Set([
  'name',
  'section',
  'group',
  'space',
  'collection',
  'defaultTeam',
  'defaultSite',
]);

/** Whether a text is the name of an object, by its path. */
function isName(at: readonly PropertyKey[]): boolean {
  const [first] = at;
  const last = at.at(-1);
  // Values of custom fields have the names of the fields.
  if (first === 'customFields' && at.length === 2) return false;
  return (
    (last !== undefined && nameMembers.has(last)) ||
    at.at(-2) === 'order' ||
    (first === 'translations' && last === 'title')
  );
}
