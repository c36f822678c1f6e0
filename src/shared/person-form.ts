/** `Name <email>` and `Name <email> (id)`, as docsctl and mail programs print people. */
const form = /^[^<>]*<([^<>@\s]+@[^<>@\s]+)>(?: \(([^\s()]+)\))?$/;
/** `Title (id)`, as docsctl prints objects. */
const titled = /^(.+) \(([A-Za-z0-9_-]+)\)$/s;

/** The email address of a person in the form `Name <email>` or `Name <email> (id)`; any other text as it is. */
export const personIn = (text: string): string => form.exec(text.trim())?.[1] ?? text;

/** The title and the ID in `Title (id)`; undefined for any other text. */
export function titleWithId(text: string): { title: string; id: string } | undefined {
  const [, title, id] = titled.exec(text.trim()) ?? [];
  return title === undefined || id === undefined ? undefined : { title, id };
}
