import pages from './pages.json' with { type: 'json' };

/** A page of the demo with those below it. */
export interface DemoPage {
  id: string;
  title: string;
  emoji?: string;
  /** Lines. */
  markdown: string[];
  pages?: DemoPage[];
}

/** The pages of the spaces. */
export const { handbook, apiGuides, quickStart, releaseNotes, playbook }: Record<keyof typeof pages, DemoPage[]> =
  pages;

export const textOf = ({ markdown }: DemoPage): string => markdown.map((line) => `${line}\n`).join('');

/** A picture of sixteen by sixteen pixels. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEX///80bdu38oCEAAAAKklEQVR42mNgYGBgf8DA/4FB/geD/R+GGjuGCjkEAnKBgkApoAKgMgYGACOBDD38jlFXAAAAAElFTkSuQmCC';

/** Two versions of the specification of the pump's interface. */
export const specs = ['1.0.0', '1.1.0'].map((version, index) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pumps', version },
    servers: [{ url: 'https://api.lumen.example' }],
    paths: {
      '/pumps': {
        get: { operationId: 'listPumps', summary: 'List pumps', responses: { 200: { description: 'All pumps' } } },
        ...(index === 0
          ? {}
          : { post: { operationId: 'addPump', summary: 'Add a pump', responses: { 201: { description: 'Added' } } } }),
      },
    },
  }),
);

/** A certificate whose private key was deleted. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBjTCCATOgAwIBAgIUePl0UAOlCw4iZuTDNFkFQItN6qowCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQaWQubHVtZW4uZXhhbXBsZTAgFw0yNjExMjExMTI2MjhaGA8y
MTI2MTAyODExMjYyOFowGzEZMBcGA1UEAwwQaWQubHVtZW4uZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABLhovNKRESsdsmXCVMcXKRORVv7BWTDY+68u
23bR1pjt5myj4Owhy05Zkxq96VakweXnqCFkOHeXVLov73QCwj+jUzBRMB0GA1Ud
DgQWBBRkDGUwbS4p/IXQwwggHlBBTVQxlTAfBgNVHSMEGDAWgBRkDGUwbS4p/IXQ
wwggHlBBTVQxlTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQDq
p7nV3Pg9RU3tuX1X6+yLZpkENT8Ijkt6Chh0PHxnIwIgK56/hhXVncka6N6fQZTY
ztO8+Rvj72FSf8hwmHF+JlI=
-----END CERTIFICATE-----`;
