/** A site with sections, variants and a page of all blocks, for tests in a browser. */

type Call = (method: string, path: string, body?: unknown) => Promise<{ body: any }>;

const tick = '`';
const fence = '```';

/** Every block that a page can have. */
export const allBlocks = `A pump is **calibrated** once, when it is installed, and again after each change of the [pressure sensor](#code). Calibration takes about ten minutes; the pump must not run meanwhile. Use ${tick}docsctl pumps calibrate${tick} for many at once.

## Hints

{% hint style="info" %}
The values of earlier calibrations are kept for [ninety days](zero-point.md), so a wrong one can be undone with ${tick}--undo${tick}.
{% endhint %}

{% hint style="success" %}
All sensors answered.
{% endhint %}

{% hint style="warning" %}
### Close the valve first

Open valves give values that are too low. See **Maintenance**.
{% endhint %}

{% hint style="danger" %}
Never open the housing while the pump has pressure.
{% endhint %}

## Code

The library reads the sensor and writes the offset. It is the same in all languages:

{% code title="pump.js" lineNumbers="true" %}
${fence}javascript
import { openPump } from '@lumen/pumps';

// Opens the first pump of the network.
const pump = await openPump({ host: '10.0.0.7', timeoutMs: 2_000 });
if (pump.pressure > 3.5) throw new Error(${tick}Too much pressure: ${'$'}{pump.pressure} bar in a line that is long enough to scroll${tick});
${fence}
{% endcode %}

{% tabs %}
{% tab title="curl" %}
${fence}bash
curl -X POST https://api.example/v1/pumps \\
  -H "Authorization: Bearer $TOKEN" # a token
${fence}
{% endtab %}
{% tab title="Python" %}
${fence}python
pumps.create(host="10.0.0.7")  # the address on the plate
${fence}
{% endtab %}
{% tab title="Notes" %}
Some text in a tab, with a list:

- one
- two
{% endtab %}
{% endtabs %}

## Steps

{% stepper %}
{% step %}
### Install the library

Any version from 3 on works.

${fence}
npm install @lumen/pumps
${fence}
{% endstep %}
{% step %}
### Open the pump

Its address is on the plate at the side.
{% endstep %}
{% step %}
### Calibrate

Wait until the lamp is green.
{% endstep %}
{% endstepper %}

## Cards

<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>Quickstart</strong></td><td>From the box to the first litre in five minutes.</td><td><a href="zero-point.md">zero-point.md</a></td></tr><tr><td><strong>Calibration</strong></td><td>What to do when values drift.</td><td><a href="https://lumen.example/">lumen</a></td></tr><tr><td><strong>Source</strong></td><td>All of it is open.</td><td></td></tr></tbody></table>

## Lists and tables

- First, with a [link](https://lumen.example/pumps)
- Second
  - nested
  - nested too

1. Open
2. Measure
3. Close

- [x] Read the manual
- [ ] Calibrate the pump

| Model | Pressure | Sensor | Price |
| ----- | -------- | ------ | ----: |
| P-100 | 2 bar | ${tick}S1${tick} | 120 € |
| P-200 | 4 bar | ${tick}S2${tick} | 240 € |
| P-300 | 8 bar | none, it measures the current of the motor | 480 € |

> A pump without calibration is a guess with a motor.

### More blocks

<details>

<summary>What if the lamp stays red?</summary>

Then the sensor is broken. Order a new one.

</details>

<details>

<summary>How long is a calibration valid?</summary>

A year, or until the sensor is changed.

</details>

{% columns %}
{% column width="33%" %}
**Left** column with some words that show how wide it is.
{% endcolumn %}
{% column %}
**Right** column with some words too.
{% endcolumn %}
{% endcolumns %}

{% content-ref url="zero-point.md" %}
[zero-point.md](zero-point.md)
{% endcontent-ref %}

{% embed url="https://video.example/watch?v=1" %}
A film about calibration
{% endembed %}

<a href="zero-point.md" class="button primary">Get started</a> <a href="zero-point.md" class="button secondary">Read more</a> <button type="button" class="button secondary" data-action="search" data-query="zero poi">Find it</button>

$$p = \\frac{F}{A}$$

${fence}mermaid
graph TD; A-->B
${fence}

{% updates format="full" %}
{% update date="2026-10-01" tags="library" %}
## Version 3

Calibrations can be undone.
{% endupdate %}
{% endupdates %}

{% if visitor.claims.unsigned.plan == "team" %}
Only teams see this sentence.
{% endif %}

{% unknown-block %}
Text of a block that nobody knows[^1].

[^1]: A footnote.
`;

interface DemoSite {
  /** Path of the site in the API. */
  site: string;
  /** Path of the first page, from the server. */
  root: string;
}

export async function makeDemoSite(call: Call, orgPath: string): Promise<DemoSite> {
  const space = async (title: string) => (await call('POST', `${orgPath}/spaces`, { title })).body.id as string;
  const [guide, old, api, team] = [
    await space('Guide'),
    await space('Guide 2.4'),
    await space('API'),
    await space('Team'),
  ];
  const made = (await call('POST', `${orgPath}/sites`, { title: 'Lumen Pumps' })).body;
  const site = `${orgPath}/sites/${made.id}`;
  const sectionOf = async (body: object) => (await call('POST', `${site}/sections`, body)).body.id as string;
  const documentation = await sectionOf({ spaceId: guide, title: 'Documentation', icon: 'book' });
  const apiSection = await sectionOf({ spaceId: api, title: 'API', icon: 'code' });
  const teamSection = await sectionOf({ spaceId: team, title: 'For teams' });
  await call('PATCH', `${site}/sections/${teamSection}`, { condition: 'visitor.claims.unsigned.plan == "team"' });
  await call('POST', `${site}/site-spaces`, { spaceId: old, sectionId: documentation });
  await call('POST', `${site}/section-groups`, { title: 'More', sections: [apiSection] });
  await call('PUT', `${site}/customization`, await customized(call, site));
  await writePages(call, guide, [
    {
      title: 'Calibration',
      icon: 'gauge',
      description: 'How to calibrate a pump, with every block that a page can have.',
      text: allBlocks,
    },
    {
      title: 'Zero point',
      emoji: '🎯',
      text: 'Find the zero point before you calibrate.\n\n## Sensors\n\nEach sensor has one.\n\n## Undo\n\nA wrong one can be undone.',
    },
    {
      title: 'Maintenance',
      text: 'Change the filters.',
      below: [
        { title: 'Filters', text: 'Once a year.' },
        { title: 'Seals', text: 'When they leak.' },
      ],
    },
  ]);
  for (const id of [old, api, team]) await writePages(call, id, [{ title: 'Start', text: 'Hello.' }]);
  await call('POST', `${site}/publish`);
  const view = (await call('GET', site)).body;
  return { site, root: new URL(view.urls.published).pathname };
}

async function customized(call: Call, site: string) {
  const settings = (await call('GET', `${site}/customization`)).body;
  return {
    ...settings,
    favicon: { emoji: '💧' },
    header: {
      links: [
        { title: 'Blog', to: { kind: 'url', url: 'https://lumen.example/blog' }, links: [] },
        {
          title: 'Products',
          to: null,
          links: [{ title: 'P-100', to: { kind: 'url', url: 'https://lumen.example/1' } }],
        },
        { title: 'Sign up', style: 'button-primary', to: { kind: 'url', url: 'https://lumen.example/' }, links: [] },
      ],
    },
    announcement: { enabled: true, message: 'Version 3 of the library is out.', style: 'info' },
    footer: {
      groups: [
        { title: 'Company', links: [{ title: 'About', to: { kind: 'url', url: 'https://lumen.example/about' } }] },
      ],
      copyright: '© 2026 Lumen Ltd.',
    },
  };
}

interface DemoPage {
  title: string;
  text: string;
  icon?: string;
  emoji?: string;
  description?: string;
  below?: DemoPage[];
}

async function writePages(call: Call, space: string, pages: DemoPage[], into?: string): Promise<void> {
  for (const { title, text, icon, emoji, description, below = [] } of pages) {
    const change = { operation: 'insert_page', title, icon, emoji, description, into, document: { markdown: text } };
    const { body } = await call('POST', `/v1/spaces/${space}/content?compat=false`, { changes: [change] });
    await writePages(call, space, below, body.changes[0].page.id);
  }
}
