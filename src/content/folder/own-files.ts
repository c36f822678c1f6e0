/** Whether docsctl keeps a file of this name in a space for itself: such files are in no list, site or PDF. */
export function isOwnFile(name: string): boolean {
  return name.startsWith('.docsctl/');
}
