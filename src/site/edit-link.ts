export interface GitSync {
  installationProvider?: string | undefined;
  url?: string | undefined;
}

/**
 * The address at which the source of a page can be edited. Without a branch in the address of the repository, it shows the
 * file on the default branch.
 *
 * @param path of the file in the repository
 */
export function editAddress(gitSync: GitSync | undefined, path: string | undefined): string | undefined {
  if (gitSync?.url === undefined || path === undefined || !/^https?:\/\//i.test(gitSync.url)) return undefined;
  const file = path.split('/').map(encodeURIComponent).join('/');
  const base = gitSync.url.replace(/\/$/, '').replace(/\.git$/, '');
  const separator = gitSync.installationProvider === 'gitlab' ? '/-/' : '/';
  const [repository = base, ref] = base.split(`${separator}tree/`, 2);
  return ref === undefined
    ? `${repository}${separator}blob/HEAD/${file}`
    : `${repository}${separator}edit/${ref}/${file}`;
}
