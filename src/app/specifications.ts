import { openapi, processErrors } from '../contract/openapi.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { changeText, compareDescriptions } from '../openapi/index.ts';
import { LruCache } from '../shared/lru-cache.ts';
import { html, type Html, raw } from '../site/html.ts';
import type { Reference } from '../openapi/reference/index.ts';
import type { ReferenceAddresses } from '../site/reference/index.ts';
import { command, draw } from './frame.ts';
import { pager, readPage } from './lists.ts';
import { organizationFrame } from './organization-frame.ts';
import type { AppResponse } from './port.ts';
import { date, dateText } from './times.ts';
import { hrefOf, NoPage, type Visit } from './visit.ts';

type Spec = AnswerOf<typeof openapi.view>;

export async function specList(visit: Visit, orgId: string): Promise<AppResponse> {
  const { org, frame } = await organizationFrame(visit, orgId, { tab: 'openapi' });
  const list = await readPage(visit.client, openapi.list, { params: { orgId: org.id } }, visit.query.get('page'));
  const rows = list.items.map(
    (spec) =>
      html`<li>
        <a href="${hrefOf(visit, org.id, 'openapi', spec.slug)}">${spec.slug}</a> ${specState(spec)}
        <span class="app-facts">updated ${date(spec.updatedAt)}</span>
      </li>`,
  );
  return draw(frame, {
    title: 'Specifications',
    html: html`${
        rows.length === 0
          ? html`<p>There are no specifications.</p>`
          : html`<ul class="app-rows">
              ${rows}
            </ul>`
      }
      ${pager(visit, list)}
      <h2>On the command line</h2>
      ${command('openapi', 'publish', 'openapi.yaml')}`,
  });
}

function specState({ processingState, lastProcessErrorCode }: Spec): Html {
  if (lastProcessErrorCode) return html`<span class="app-state app-bad">${processErrors[lastProcessErrorCode]}</span>`;
  return processingState === 'complete' ? html`` : html`<span class="app-state">in progress</span>`;
}

/** Versions never change. Whether the user may see the specification is asked for every page. */
const references = new LruCache<Promise<Reference>>(12);

/** Larger descriptions are compared on the command line, because that may take seconds. */
const maxCompared = 1_000_000;

async function documentOf({ client }: Visit, { orgId, slug }: Place, versionId: string): Promise<unknown> {
  const params = { orgId, specSlug: slug, versionId };
  const { filesystem } = await client.call(openapi.versionContent, { params });
  return Object.values(filesystem)[0];
}

async function referenceOf(visit: Visit, place: Place, version: string): Promise<Reference> {
  const key = JSON.stringify([place.orgId, place.slug, version]);
  const kept = references.get(key) ?? readReference(visit, place, version);
  references.set(key, kept);
  kept.catch(() => references.delete(key));
  return kept;
}

async function readReference(visit: Visit, place: Place, version: string): Promise<Reference> {
  const { Reference: Made } = await import('../openapi/reference/index.ts');
  return new Made({ document: await documentOf(visit, place, version) });
}

interface Place {
  orgId: string;
  slug: string;
}

/** A specification: its reference, its versions, and the differences between two. @param rest the address below it */
export async function specPage(visit: Visit, orgId: string, slug: string, rest: string[]): Promise<AppResponse> {
  const spec = await visit.client.call(openapi.view, { params: { orgId, specSlug: slug } });
  const place = { orgId, slug: spec.slug };
  if (rest[0] === '~versions') return versionsPage(visit, place, spec);
  if (rest[0] === '~diff') return diffPage(visit, place);
  const [version, path] = rest[0]?.startsWith('~') ? [rest[0].slice(1), rest.slice(1)] : [spec.lastVersion, rest];
  if (version === undefined) return withoutVersion(visit, place, spec);
  return referencePage(visit, place, { version, below: version === spec.lastVersion ? [] : [`~${version}`], path });
}

const bar = (visit: Visit, { orgId, slug }: Place): Html => {
  const at = (...parts: string[]) => hrefOf(visit, orgId, 'openapi', slug, ...parts);
  return html`<nav class="app-bar" aria-label="Specification">
    <a href="${at()}">Reference</a><a href="${at('~versions')}">Versions and differences</a>
  </nav>`;
};

const trail = (visit: Visit, { orgId, slug }: Place) => [
  { title: 'Specifications', href: hrefOf(visit, orgId, 'openapi') },
  { title: slug, href: hrefOf(visit, orgId, 'openapi', slug) },
];

async function referencePage(
  visit: Visit,
  place: Place,
  { version, below, path }: { version: string; below: string[]; path: string[] },
): Promise<AppResponse> {
  const { drawReferencePage, findReferencePage, referenceNavigation } = await import('../site/reference/index.ts');
  const reference = await referenceOf(visit, place, version);
  const addresses: ReferenceAddresses = {
    page: (at, anchor) => {
      const href = hrefOf(visit, place.orgId, 'openapi', place.slug, ...below, ...at.split('/').filter(Boolean));
      return anchor === undefined || anchor === '' ? href : `${href}#${encodeURIComponent(anchor)}`;
    },
  };
  const page = findReferencePage(reference, path.join('/'));
  if (!page) throw new NoPage();
  const drawn = await drawReferencePage(reference, page, addresses);
  const navigation = referenceNavigation(reference, page, addresses);
  const { frame } = await organizationFrame(visit, place.orgId, { tab: 'openapi', navigation });
  return draw(frame, {
    ...drawn,
    breadcrumbs: [...trail(visit, place), ...drawn.breadcrumbs.slice(1)],
    banner: bar(visit, place).text,
    html: html`${below.length > 0 && html`<p class="app-facts">Version ${version}</p>`}${raw(drawn.html)}`,
    layout: { ...drawn.layout, pagination: true },
  });
}

async function withoutVersion(visit: Visit, place: Place, spec: Spec): Promise<AppResponse> {
  const { frame } = await organizationFrame(visit, place.orgId, { tab: 'openapi' });
  return draw(frame, {
    title: spec.slug,
    breadcrumbs: trail(visit, place).slice(0, 1),
    html: html`<p>${specState(spec)}</p>
      <p>There is no version yet.</p>`,
  });
}

async function versionsPage(visit: Visit, place: Place, { lastVersion }: Spec): Promise<AppResponse> {
  const { orgId, slug } = place;
  const { frame } = await organizationFrame(visit, orgId, { tab: 'openapi' });
  const input = { params: { orgId, specSlug: slug } };
  const list = await readPage(visit.client, openapi.versions, input, visit.query.get('page'));
  const at = (...parts: string[]) => hrefOf(visit, orgId, 'openapi', slug, ...parts);
  const options = (chosen: string | undefined) =>
    list.items.map(
      ({ id, createdAt }) =>
        html`<option value="${id}" ${id === chosen && html` selected`}>${id}, ${dateText(createdAt)}</option>`,
    );
  const select = (name: string, label: string, chosen: string | undefined) =>
    html`<label
      >${label}<select name="${name}">
        ${options(chosen)}
      </select></label
    >`;
  return draw(frame, {
    title: 'Versions',
    breadcrumbs: trail(visit, place),
    banner: bar(visit, place).text,
    html: html`${
        list.items.length > 1 &&
        html`<form class="app-form" action="${at('~diff')}">
          ${select('old', 'Compare', list.items[1]?.id)} ${select('new', 'with', list.items[0]?.id)}
          <button class="button button-primary">Compare</button>
        </form>`
      }
      <ul class="app-rows">
        ${list.items.map(
          ({ id, createdAt }) =>
            html`<li>
              <a href="${id === lastVersion ? at() : at(`~${id}`)}">${id}</a
              >${id === lastVersion && html` <span class="app-state app-good">latest</span>`}
              <span class="app-facts">${date(createdAt)}</span>
            </li>`,
        )}
      </ul>
      ${pager(visit, list)}`,
  });
}

const levels = { breaking: 'app-bad', warning: 'app-warning', info: '' } as const;
const maxChanges = 200;

async function diffPage(visit: Visit, place: Place): Promise<AppResponse> {
  const { orgId, slug } = place;
  const [old, now] = [visit.query.get('old') ?? '', visit.query.get('new') ?? ''];
  const { frame } = await organizationFrame(visit, orgId, { tab: 'openapi' });
  const [before, after] = await Promise.all([documentOf(visit, place, old), documentOf(visit, place, now)]);
  const size = [before, after].reduce((sum: number, document) => sum + JSON.stringify(document ?? null).length, 0);
  return draw(frame, {
    title: `Differences of ${slug}`,
    breadcrumbs: [
      ...trail(visit, place),
      { title: 'Versions', href: hrefOf(visit, orgId, 'openapi', slug, '~versions') },
    ],
    banner: bar(visit, place).text,
    html: html`<p class="app-facts">From ${old} to ${now}</p>
      ${size > maxCompared ? html`<p>These versions are too large to compare here.</p>` : changesOf(before, after)}
      <h2>On the command line</h2>
      ${command('openapi', 'diff', `${slug}@${old}`, `${slug}@${now}`)}`,
  });
}

function changesOf(before: unknown, after: unknown): Html {
  const changes = compareDescriptions({ document: before }, { document: after });
  if (changes.length === 0) return html`<p>Nothing changed for the users of the API.</p>`;
  const rows = changes.slice(0, maxChanges).map(
    (change) =>
      html`<li>
        <span class="app-state ${levels[change.level]}">${change.level}</span> ${changeText(change)}
        <span class="app-facts"><code>${change.rule}</code></span>
      </li>`,
  );
  const more = changes.length - maxChanges;
  return html`<ul class="app-rows">
      ${rows}
    </ul>
    ${more > 0 && html`<p>${more} more changes: use the command line.</p>`}`;
}
