import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import { securitySchemes, serversOf } from '../../openapi/reference/index.ts';
import { isObject } from '../../shared/is-object.ts';
import { spaced } from './draw-schema.ts';
import { apiKey, drawRemember, drawScheme, drawServerChoice, isTyped, reachableServers } from './draw-try-it.ts';
import { h } from './elements.ts';
import type { DrawTools } from './tools.ts';

/** The head of an API: its version, its files, whom to ask, and what all forms and samples share. */
export function drawCard(tools: DrawTools): Element {
  const { info, document } = tools.reference;
  const { openapi, swagger } = document;
  const format = typeof openapi === 'string' ? `OpenAPI ${openapi}` : `Swagger ${String(swagger ?? '2.0')}`;
  const facts: [string, ElementContent[]][] = [
    ...(typeof info['version'] === 'string' || typeof info['version'] === 'number'
      ? [['Version', [h('code', String(info['version']))]] satisfies [string, ElementContent[]]]
      : []),
    ['Format', [text(format)]],
    ...linked('Contact', info['contact']),
    ...linked('License', info['license']),
    ...(typeof info['termsOfService'] === 'string' ? linked('Terms', { url: info['termsOfService'] }) : []),
  ];
  return element('div', { className: ['api-card'], dataApi: apiKey(tools) }, [
    h(
      'dl.api-card-facts',
      facts.map(([label, content]) => h('div', [h('dt', label), h('dd', content)])),
    ),
    ...drawDownloads(tools),
    ...drawServer(tools),
    ...drawSignIn(tools),
  ]);
}

function drawDownloads({ addresses: { description } }: DrawTools): Element[] {
  if (description === undefined) return [];
  const links = Object.entries(description).map(([format, href]) => {
    const properties = { className: ['button', 'button-secondary'], href, download: '' };
    return element('a', properties, [text(`Download ${format.toUpperCase()}`)]);
  });
  return [h('p.api-downloads', spaced(links))];
}

/** The samples on all pages, and the forms, use the server that is chosen here. */
function drawServer(tools: DrawTools): Element[] {
  const all = serversOf(tools.reference);
  const servers = tools.hasTryIt ? reachableServers(all) : all;
  if (servers.length < 2) return [];
  const chosen = drawServerChoice(servers, 'api-server');
  return [{ ...chosen, properties: { className: ['api-switch'], hidden: true } }];
}

/** What is typed here is used by the forms of all pages. */
function drawSignIn(tools: DrawTools): Element[] {
  const schemes = securitySchemes(tools.reference).filter(isTyped);
  if (!tools.hasTryIt || schemes.length === 0) return [];
  const fields = schemes.flatMap((scheme, index) => drawScheme(scheme, `api-sign-in-${index}`));
  return [
    element('details', { className: ['api-try'], hidden: true }, [
      h('summary', 'Sign in'),
      h('div.api-sign-in', [...fields, drawRemember('api-sign-in-remember')]),
    ]),
  ];
}

function linked(label: string, node: unknown): [string, ElementContent[]][] {
  if (!isObject(node)) return [];
  const { name, url, email } = node;
  const address = typeof url === 'string' ? url : typeof email === 'string' ? `mailto:${email}` : undefined;
  const words = typeof name === 'string' ? name : typeof email === 'string' ? email : (address ?? '');
  return words === '' ? [] : [[label, [linkTo(address, words)]]];
}

const linkTo = (address: string | undefined, name: string): ElementContent =>
  address !== undefined && /^(?:https?:|mailto:)/i.test(address)
    ? element('a', { href: address, className: ['external'] }, [text(name)])
    : text(name);
