import type { DocumentPage } from '../../src/contract/pages.ts';

/** A page or a group of the example site. */
export interface ExamplePage {
  title: string;
  type?: 'group';
  text?: string;
  icon?: string;
  description?: string;
  layout?: DocumentPage['layout'];
  /** Where the pages of an API reference stand. */
  computed?: DocumentPage['computed'];
  below?: ExamplePage[];
}

const fence = '```';

const card = (title: string, icon: string, text: string, page: string) =>
  `<tr><td><h4><i class="fa-${icon}">:${icon}:</i></h4></td><td><strong>${title}</strong></td><td>${text}</td><td><a href="${page}">${page}</a></td></tr>`;

const cards = (rows: string[]) =>
  `<table data-view="cards"><thead><tr><th></th><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody>${rows.join('')}</tbody></table>`;

const welcome = `Tidewater measures 4,200 gauges on every coast and computes a forecast for each of them four times a day. One key, one API, no sensors of your own.

${cards([
  card('Quickstart', 'rocket', 'Your first forecast in five minutes.', 'get-started/quickstart.md'),
  card('Authentication', 'key', 'Keys, scopes, and how to change them safely.', 'get-started/authentication.md'),
  card('Stations', 'location-dot', 'Find the gauge that is nearest to a place.', 'concepts/stations.md'),
])}

## What you can build

| Product | Data | Delay |
| --- | --- | --- |
| Harbour displays | Water level, waves | 1 minute |
| Route planning | Forecasts, currents | 6 hours |
| Flood warnings | Levels with thresholds, as webhooks | 10 seconds |

## Where to go next

{% hint style="info" %}
New here? [The quickstart](get-started/quickstart.md) needs nothing but a terminal. A test key is free, and has all stations of Ireland.
{% endhint %}

{% content-ref url="get-started/quickstart.md" %}
[quickstart.md](get-started/quickstart.md)
{% endcontent-ref %}

{% content-ref url="concepts/forecasts.md" %}
[forecasts.md](concepts/forecasts.md)
{% endcontent-ref %}
`;

const quickstart = `You need [an API key](authentication.md) and a terminal. At the end you will have the water level of one gauge, and a forecast for the next two days.

## Before you begin

The client runs on Node.js 22 or later, and on Python 3.11 or later. Set the key once; every client reads \`TIDEWATER_KEY\` from the environment.

{% hint style="warning" %}
Keep keys out of your code. A key that is found in a public repository is revoked within a minute, and its owner gets a message.
{% endhint %}

## Read a water level

{% stepper %}
{% step %}
### Install the client

{% tabs %}
{% tab title="Node.js" %}
${fence}bash
npm install @tidewater/client
${fence}
{% endtab %}
{% tab title="Python" %}
${fence}bash
pip install tidewater
${fence}
{% endtab %}
{% endtabs %}
{% endstep %}
{% step %}
### Find the nearest station

Stations have short names such as \`dublin-port\`. Ask for those around a place, nearest first:

{% code title="nearest.ts" lineNumbers="true" %}
${fence}typescript
import { Tidewater } from '@tidewater/client';

const tides = new Tidewater({ timeoutMs: 5_000 });

// Howth harbour, and 20 km around it.
const [station] = await tides.stations.near({ lat: 53.39, lon: -6.07, km: 20 });
if (!station) throw new Error('There is no station here.');
console.log(station.name, station.distanceKm);
${fence}
{% endcode %}
{% endstep %}
{% step %}
### Read it

A reading is never older than a minute. Levels are in metres above the station's own zero.

${fence}json
{
  "station": "dublin-port",
  "level": 2.41,
  "unit": "m",
  "measuredAt": "2026-11-02T09:41:00Z",
  "trend": "rising"
}
${fence}
{% endstep %}
{% endstepper %}

## Limits

| Plan | Requests a minute | Stations | History |
| --- | ---: | ---: | --- |
| Test | 60 | 41 | 7 days |
| Team | 600 | 4,200 | 5 years |
| Fleet | 6,000 | 4,200 | all, from 1958 |

Beyond the limit the answer is \`429\` with the header \`Retry-After\`; the clients wait that long by themselves.

## Questions

<details>

<summary>Which zero do levels refer to?</summary>

The chart datum of the station. \`station.datum\` has its height above the national reference.

</details>

<details>

<summary>May I show readings on a public page?</summary>

Yes, with a link to the station's page.

</details>
`;

const simple = (
  title: string,
) => `${title} are what most programs ask for first. This page says what they are, and how to read them.

## In short

A station is a gauge with a place, a datum and an owner. It has a name that never changes, so it can be stored.

- Names are in lower case, with hyphens.
- A station that is taken down keeps its history.

## Fields

| Field | Type | Meaning |
| --- | --- | --- |
| \`name\` | string | Stable name, such as \`dublin-port\` |
| \`datum\` | number | Height of its zero in metres |

## See also

Read [how forecasts are made](forecasts.md).
`;

const withoutOutline = {
  cover: true,
  coverSize: 'hero' as const,
  title: true,
  description: true,
  tableOfContents: true,
  outline: false,
  pagination: true,
};

export const docs: ExamplePage[] = [
  {
    title: 'Welcome to Tidewater',
    description: 'Live water levels, waves and tide forecasts for every coast, from one API.',
    layout: withoutOutline,
    text: welcome,
  },
  {
    title: 'Get started',
    type: 'group',
    below: [
      {
        title: 'Quickstart',
        icon: 'rocket',
        description: 'From an empty folder to a forecast in five minutes.',
        text: quickstart,
      },
      { title: 'Authentication', icon: 'key', description: 'Keys and their scopes.', text: simple('Keys') },
      { title: 'Errors and retries', icon: 'rotate', text: simple('Errors') },
    ],
  },
  {
    title: 'Concepts',
    type: 'group',
    below: [
      {
        title: 'Stations',
        icon: 'location-dot',
        text: simple('Stations'),
        below: [
          { title: 'Datums', text: simple('Datums') },
          { title: 'Quality', text: simple('Quality') },
        ],
      },
      { title: 'Readings', icon: 'chart-line', text: simple('Readings') },
      {
        title: 'Forecasts',
        icon: 'cloud-sun',
        description: 'How a forecast is made, and how far it reaches.',
        text: simple('Forecasts'),
      },
    ],
  },
  {
    title: 'Deliver data',
    type: 'group',
    below: [
      { title: 'Webhooks', icon: 'bolt', text: simple('Webhooks') },
      { title: 'Bulk export', icon: 'box-archive', text: simple('Exports') },
    ],
  },
];

export const guides: ExamplePage[] = [
  { title: 'Build a harbour display', icon: 'display', text: simple('Displays') },
  { title: 'Warn of floods', icon: 'bell', text: simple('Warnings') },
];

export const reference: ExamplePage[] = [
  { title: 'Introduction', text: simple('Requests') },
  {
    title: 'Tidewater API',
    computed: {
      type: 'builtin:openapi',
      props: {},
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'tidewater' } } },
    },
  },
];

export const updates: ExamplePage[] = [
  {
    title: 'Changelog',
    layout: withoutOutline,
    text: `{% updates format="full" %}
{% update date="2026-10-20" tags="api,forecasts" %}
## Forecasts for five days

Forecasts reach five days instead of two. Nothing has to be changed.
{% endupdate %}
{% update date="2026-09-03" tags="clients" %}
## Client 3 for Python

It reads pages of results by itself.
{% endupdate %}
{% endupdates %}
`,
  },
];
