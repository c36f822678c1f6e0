import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Executable } from './executable.ts';
import { type Architecture, install, manifest, normalize, packTarball, type Release, root, run } from './release.ts';
import { debianScripts, rpmScripts } from './scripts.ts';

const names = {
  x64: { debian: 'amd64', rpm: 'x86_64' },
  arm64: { debian: 'arm64', rpm: 'aarch64' },
} satisfies Record<Architecture, object>;

const maintainer = 'The docsctl authors <docsctl@docs.example>';
const description = [
  'Use it to manage organizations, members, spaces, docs sites, change requests,',
  'content and OpenAPI specifications, or to run the platform locally on SQLite.',
  'It contains Node.js, so it needs no other packages.',
];

/** The executable with its documentation, for any Linux. */
export async function archive(
  architecture: Architecture,
  { file, node }: Executable,
  release: Release,
): Promise<string> {
  const name = `docsctl-${release.version}-linux-${architecture}`;
  const folder = join(release.work, name);
  mkdirSync(folder);
  install(file, join(folder, 'docsctl'), 0o755);
  for (const document of ['LICENSE', 'README.md', 'CHANGELOG.md'])
    install(join(root, document), join(folder, document));
  licenses(folder, node.license);
  for (const [from, to] of [...manPages('man'), ...completions('completions')]) installIn(folder, from, to);
  normalize(folder, release);
  await packTarball(release.work, name, join(release.out, `${name}.tar.xz`), release);
  return `${name}.tar.xz`;
}

export async function debianPackage(
  architecture: Architecture,
  executable: Executable,
  release: Release,
): Promise<string> {
  const { debian } = names[architecture];
  const { epoch, version } = release;
  const folder = join(release.work, `deb-${debian}`);
  const documents = join(folder, 'usr/share/doc/docsctl');
  installCommon(folder, executable, 'usr/share/zsh/vendor-completions');
  mkdirSync(documents, { recursive: true });
  licenses(documents, executable.node.license);
  writeFileSync(join(documents, 'copyright'), copyright());
  writeFileSync(join(documents, 'changelog.gz'), gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 }));
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  const entry = `docsctl (${version}-1) stable; urgency=medium\n\n  * See changelog.gz.\n\n -- ${maintainer}  ${date}\n`;
  writeFileSync(join(documents, 'changelog.Debian.gz'), gzipSync(entry, { level: 9 }));
  const overrides = join(folder, 'usr/share/lintian/overrides/docsctl');
  mkdirSync(dirname(overrides), { recursive: true });
  // Node.js has its own copies of libraries, as its official binaries do.
  writeFileSync(overrides, 'docsctl: embedded-library *\n');

  const control = join(folder, 'DEBIAN');
  mkdirSync(control);
  const files = filesIn(folder).filter((path) => !path.startsWith('DEBIAN/'));
  const bytes = files.map((path) => statSync(join(folder, path)).size).reduce((sum, size) => sum + size, 0);
  writeFileSync(
    join(control, 'control'),
    `${[
      'Package: docsctl',
      `Version: ${version}-1`,
      `Architecture: ${debian}`,
      `Maintainer: ${maintainer}`,
      `Installed-Size: ${Math.ceil(bytes / 1024)}`,
      'Depends: libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 9)',
      'Recommends: git',
      'Section: utils',
      'Priority: optional',
      'Description: administer a documentation platform, or run it locally',
      ...description.map((line) => ` ${line}`),
    ].join('\n')}\n`,
  );
  writeFileSync(join(control, 'conffiles'), '/etc/default/docsctl\n');
  const sums = files.filter((path) => !path.startsWith('etc/')).map((path) => `${md5(join(folder, path))}  ${path}\n`);
  writeFileSync(join(control, 'md5sums'), sums.join(''));
  for (const [name, text] of Object.entries(debianScripts)) writeFileSync(join(control, name), text, { mode: 0o755 });
  normalize(folder, release);
  const name = `docsctl_${version}-1_${debian}.deb`;
  // The fastest level of xz, whose result is smaller than that of others. One thread, because the bytes depend on their number.
  const compression = ['-Zxz', '-z1', '--threads-max=1'];
  await run('dpkg-deb', ['--root-owner-group', ...compression, '--build', folder, join(release.out, name)]);
  return name;
}

export async function rpmPackage(
  architecture: Architecture,
  executable: Executable,
  release: Release,
): Promise<string> {
  const { rpm } = names[architecture];
  const { version } = release;
  const folder = join(release.work, `rpm-${rpm}`);
  const content = join(folder, 'content');
  installCommon(content, executable, 'usr/share/zsh/site-functions');
  const documents = join(content, 'usr/share/doc/docsctl');
  mkdirSync(documents, { recursive: true });
  licenses(documents, executable.node.license);
  for (const document of ['LICENSE', 'CHANGELOG.md']) install(join(root, document), join(documents, document));
  normalize(content, release);
  const listed = filesIn(content).map((path) => (path.startsWith('etc/') ? '%config(noreplace) ' : '') + `/${path}`);
  const spec = join(folder, 'docsctl.spec');
  writeFileSync(
    spec,
    `Name: docsctl
Version: ${version}
Release: 1
Summary: ${manifest.description.replace(/\.$/, '')}
License: ${manifest.license}

%description
${description.join('\n')}

%install
mkdir -p %{buildroot}
cp -a ${content}/. %{buildroot}/

%files
%dir /usr/share/doc/docsctl
${listed.join('\n')}

${Object.entries(rpmScripts)
  .map(([name, text]) => `%${name}\n${text}\n`)
  .join('\n')}`,
  );
  const macros = {
    _topdir: folder,
    _rpmdir: join(folder, 'out'),
    _build_name_fmt: '%%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm',
    _buildhost: 'localhost',
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
    _binary_payload: 'w9.zstdio',
    // Nothing changes the files: what strips an executable removes the program in it.
    __os_install_post: '%{nil}',
    debug_package: '%{nil}',
    _build_id_links: 'none',
  };
  const definitions = Object.entries(macros).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  await run('rpmbuild', ['-bb', '--quiet', '--target', `${rpm}-linux`, ...definitions, spec]);
  const name = `docsctl-${version}-1.${rpm}.rpm`;
  install(join(folder, 'out', name), join(release.out, name));
  return name;
}

/** What both kinds of packages contain. */
function installCommon(folder: string, { file }: Executable, zsh: string): void {
  installIn(folder, file, 'usr/bin/docsctl', 0o755);
  const service = join(import.meta.dirname, 'systemd');
  installIn(folder, join(service, 'docsctl.service'), 'usr/lib/systemd/system/docsctl.service');
  installIn(folder, join(service, 'docsctl.default'), 'etc/default/docsctl');
  for (const [from, to] of manPages('usr/share/man/man1')) installIn(folder, from, to);
  const shells = {
    'docsctl.bash': 'usr/share/bash-completion/completions/docsctl',
    _docsctl: `${zsh}/_docsctl`,
    'docsctl.fish': 'usr/share/fish/vendor_completions.d/docsctl.fish',
  };
  for (const [from, to] of Object.entries(shells)) installIn(folder, join(root, 'completions', from), to);
}

function installIn(folder: string, from: string, to: string, mode?: 0o755): void {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  install(from, join(folder, to), mode);
}

const listed = (folder: string, target: string): [string, string][] =>
  readdirSync(join(root, folder)).map((name) => [join(root, folder, name), `${target}/${name}`]);
const manPages = (target: string) => listed('man', target);
const completions = (target: string) => listed('completions', target);

/** The licences of everything in the executable. */
function licenses(folder: string, ofNode: string): void {
  install(join(root, 'dist', 'licenses.txt'), join(folder, 'licenses.txt'));
  install(ofNode, join(folder, 'licenses-node.txt'));
}

/** The texts of the other licences are in files of their own: Debian wants no copies of common licences in this one. */
const copyright =
  () => `docsctl contains Node.js, whose licences are in licenses-node.txt, and the packages in licenses.txt.
Both files are next to this one. The licence of docsctl itself:

${readFileSync(join(root, 'LICENSE'), 'utf8')}`;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

const md5 = (file: string) => createHash('md5').update(readFileSync(file)).digest('hex');
