import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import binaries from './node-binaries.json' with { type: 'json' };
import { manifest, type Release, root, run } from './release.ts';

/** Writes what describes the artifacts: what they contain, how they were built, and their checksums. */
export async function describeRelease(release: Release): Promise<void> {
  const { out, version } = release;
  const artifacts = readdirSync(out).toSorted();
  writeJson(join(out, `docsctl-${version}.cdx.json`), await billOfMaterials(release));
  writeJson(join(out, `docsctl-${version}.provenance.json`), provenance(artifacts, release));
  const sums = readdirSync(out)
    .toSorted()
    .map((name) => `${digest('sha256', join(out, name))}  ${name}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
}

interface Component {
  'bom-ref': string;
  [field: string]: unknown;
}
interface Dependency {
  ref: string;
  dependsOn: string[];
}

/** CycloneDX: the packages that the bundle contains, as npm describes them, and Node.js, which the executables contain. */
async function billOfMaterials({ epoch }: Release): Promise<unknown> {
  const bom = JSON.parse(await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']));
  const bundled = new Set(
    Array.from(
      readFileSync(join(root, 'dist', 'licenses.txt'), 'utf8').matchAll(/^(@?[\w./-]+) (\d+\.\d+\.\d\S*)$/gm),
      ([, name, version]) => `${name}@${version}`,
    ),
  );
  const own: string = bom.metadata.component['bom-ref'];
  // npm calls them development packages, because users need not install them.
  const components = (bom.components as Component[])
    .filter((component) => bundled.has(component['bom-ref']))
    .map((component) => ({ ...component, scope: undefined, properties: undefined }));
  const missing = [...bundled].filter((ref) => !components.some((component) => component['bom-ref'] === ref));
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}.`);
  const node = Object.values(binaries).map(({ package: name, integrity }) => nodeComponent(name, integrity));
  const refs = new Set([own, ...bundled]);
  const dependencies = (bom.dependencies as Dependency[])
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  const content = {
    ...bom,
    metadata: {
      ...bom.metadata,
      timestamp: new Date(epoch * 1000).toISOString(),
      // npm takes the name from the folder.
      component: { ...bom.metadata.component, type: 'application', name: 'docsctl', properties: [] },
    },
    components: [...components, ...node],
    dependencies,
  };
  const hash = createHash('sha256')
    .update(JSON.stringify({ ...content, serialNumber: '' }))
    .digest('hex');
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return { ...content, serialNumber: `urn:uuid:${parts.join('-')}` };
}

function nodeComponent(name: string, integrity: string): Component {
  const { node: version } = manifest.devDependencies;
  return {
    'bom-ref': `${name}@${version}`,
    type: 'platform',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name}@${version}`,
    hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }],
    licenses: [{ license: { id: 'MIT' } }],
  };
}

/** An in-toto statement with SLSA provenance. It is not signed: it records the inputs so that you can repeat the build. */
function provenance(artifacts: string[], { commit, epoch, out }: Release): unknown {
  const { node: version } = manifest.devDependencies;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artifacts.map((name) => ({ name, digest: { sha256: digest('sha256', join(out, name)) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:docsctl:npm-run-release:1',
        externalParameters: { command: 'npm ci && npm run release', environment: { SOURCE_DATE_EPOCH: String(epoch) } },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: digest('sha256', join(root, 'package-lock.json')) } },
          ...Object.values(binaries).map(({ package: name, integrity }) => ({
            uri: `pkg:npm/${name}@${version}`,
            digest: { sha512: hexOf(integrity) },
          })),
        ],
      },
      runDetails: { builder: { id: 'urn:docsctl:unsigned-local-build' } },
    },
  };
}

const hexOf = (integrity: string) => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
const digest = (algorithm: string, file: string) => createHash(algorithm).update(readFileSync(file)).digest('hex');
const writeJson = (file: string, value: unknown) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
