/** A page of the demo with those below it. */
export interface DemoPage {
  id: string;
  title: string;
  emoji?: string;
  markdown: string;
  pages?: DemoPage[];
}

/** A picture of sixteen by sixteen pixels, so that files have something to show. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEX///80bdu38oCEAAAAKklEQVR42mNgYGBgf8DA/4FB/geD/R+GGjuGCjkEAnKBgkApoAKgMgYGACOBDD38jlFXAAAAAElFTkSuQmCC';

export const handbook: DemoPage[] = [
  {
    id: 'welcome00001',
    title: 'Welcome',
    emoji: '👋',
    markdown: `This handbook belongs to the Lumen pump.

- [Install the pump](/pages/install00001) before you open the water.
- [Maintenance](/pages/maintain0001) tells what to do every month.
- Words are explained in the [glossary](/pages/glossary0001).

Makers and plans: [lumen.example](https://lumen.example/pumps).
`,
  },
  {
    id: 'install00001',
    title: 'Install the pump',
    emoji: '🔧',
    markdown: `Close the valve first. Then go on with [unpacking](/pages/unpack000001).

## What you need

A spanner of 17 mm, a bucket, and half an hour.
`,
    pages: [
      {
        id: 'unpack000001',
        title: 'Unpack',
        markdown: `Lift the pump by its handle, never by the cable.

![The pump as it comes](/files/pumpphoto001)

## Check the parts

1. Pump
2. Two gaskets
3. Power cable
`,
      },
      {
        id: 'power0000001',
        title: 'Connect the power',
        markdown: `Connect the blue wire to **N**, the brown one to **L**.

> Switch off the fuse before you touch a wire.
`,
      },
      {
        id: 'firstrun0001',
        title: 'First run',
        markdown: `Open the inlet valve, then start the pump.

## If nothing happens

See [troubleshooting](/pages/trouble00001).
`,
      },
    ],
  },
  {
    id: 'maintain0001',
    title: 'Maintenance',
    emoji: '🧰',
    markdown: `Every month: [replace the filter](/pages/filter000001). Every year: [clean the housing](/pages/housing00001).
`,
    pages: [
      {
        id: 'filter000001',
        title: 'Replace the filter',
        markdown: `Turn the cover to the left, take the filter out, put the new one in.
`,
      },
      {
        id: 'housing00001',
        title: 'Clean the housing',
        markdown: `Use warm water. No solvents: they make the gaskets swell.
`,
      },
    ],
  },
  {
    id: 'trouble00001',
    title: 'Troubleshooting',
    emoji: '🚨',
    markdown: `| Light | Meaning |
| --- | --- |
| red | no water |
| yellow | filter full |

More is in the [service manual](/pages/manual000404), which is still to come.
`,
  },
  {
    id: 'glossary0001',
    title: 'Glossary',
    markdown: `Words of the trade.

## Inlet

Where water comes in.

## Outlet

Where water goes out, under pressure.
`,
  },
];

export const apiGuides: DemoPage[] = [
  {
    id: 'authenticat1',
    title: 'Authentication',
    markdown: 'Send your token in the header `Authorization: Bearer <token>`.\n',
  },
  {
    id: 'errorcodes01',
    title: 'Errors',
    markdown: 'Every error has a `code` and a `message`. Read the message: it tells what to do.\n',
  },
];

export const quickStart: DemoPage[] = [
  { id: 'quickstart02', title: 'Quick start', markdown: 'Plug in, open the water, press **start**.\n' },
];

export const releaseNotes: DemoPage[] = [
  { id: 'release00021', title: 'Version 2.1', markdown: '- The pump starts without a sound.\n- 日本語 is spoken.\n' },
  { id: 'release00020', title: 'Version 2.0', markdown: '- A new housing.\n' },
];

export const playbook: DemoPage[] = [
  { id: 'firstanswer1', title: 'The first answer', markdown: 'Answer within an hour, even without a solution.\n' },
  { id: 'escalation01', title: 'Escalation', markdown: 'After two days, ask the platform team.\n' },
];

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

/** A certificate whose key nobody has. */
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
