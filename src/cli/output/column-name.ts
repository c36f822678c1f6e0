import { labelOf } from './label.ts';
import type { Column } from './options.ts';

const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '');
const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** The path of the column that a header or a short name means: `Last seen` and `email` for `lastSeenAt` and `user.email`. */
export function pathNamed(text: string, columns: readonly Column[]): string | undefined {
  const name = plain(text);
  const titled = columns.find(({ key, title }) => plain(title ?? labelOf(lastOf(key))) === name);
  if (titled) return titled.key;
  const paths = new Set(columns.map(({ key }) => key).filter((key) => plain(lastOf(key)) === name));
  return paths.size === 1 ? [...paths][0] : undefined;
}
