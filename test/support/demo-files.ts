import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { certificate } from '../../src/server/demo/texts.ts';

const specs = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));

const metadata = `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.example/metadata">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
      <X509Certificate>${certificate.replace(/-----.*-----|\n/g, '')}</X509Certificate>
    </X509Data></KeyInfo></KeyDescriptor>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://id.example/sso"/>
  </IDPSSODescriptor>
</EntityDescriptor>
`;

/** Writes the files that examples and tests of the demo name. */
export async function writeDemoFiles(folder: string): Promise<void> {
  await cp(join(specs, '3.0', 'yaml', 'petstore.yaml'), join(folder, 'petstore.yaml'));
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs', 'README.md'), '# Pumps\n\nAll about them.\n');
  await mkdir(join(folder, 'handbook'));
  await writeFile(join(folder, 'handbook', '.docsctl.yaml'), 'profile: local\nspace: handbook0001\n');
  await writeFile(
    join(folder, 'commands.txt'),
    '# Who, and where.\nwhoami\ndocsctl spaces create --title "Pump manual"\n',
  );
  await writeFile(join(folder, 'people.csv'), 'email,role\nnew@lumen.example,read\n');
  await writeFile(join(folder, 'roles.csv'), 'email,role\nperson2@lumen.example,read\n');
  await mkdir(join(folder, 'organization', 'teams'), { recursive: true });
  await writeFile(join(folder, 'organization', 'teams', 'writers.yaml'), 'title: Writers\n');
  await writeFile(join(folder, 'metadata.xml'), metadata);
  await writeFile(
    join(folder, 'schema.yaml'),
    'type: object\nadditionalProperties: false\nproperties:\n  age: { type: number, description: Age }\n',
  );
}
