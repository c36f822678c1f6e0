import { isObject } from '../../shared/is-object.ts';
import { entriesAt, listAt, type Fields, objectAt, textAt, textsAt } from '../fields.ts';
import type { Reference } from './reference.ts';

/** An authentication method. */
export interface SecurityScheme {
  name: string;
  /** Where the credentials are sent; undefined if they are not part of the request, such as a certificate. */
  place: { in: 'header' | 'query' | 'cookie'; name: string; prefix: string; sample: string } | undefined;
  /** In words: `Bearer token (JWT)`. */
  kind: string;
  description: string | undefined;
  flows: {
    kind: string;
    addresses: { label: string; url: string }[];
    scopes: { name: string; description: string }[];
  }[];
  problem: string | undefined;
}

/** Schemes that are required together, each with its scopes. */
export type SecurityChoice = { scheme: SecurityScheme; scopes: string[] }[];

/** All schemes of a description. */
export function securitySchemes(reference: Reference): SecurityScheme[] {
  const { document, isSwagger } = reference;
  const holder = isSwagger ? document : (objectAt(document, 'components') ?? {});
  return entriesAt(holder, isSwagger ? 'securityDefinitions' : 'securitySchemes').map(([name, value]) => {
    const { node, problem } = reference.resolve(value);
    return schemeOf(name, node ?? {}, problem);
  });
}

/** The choices of an operation, one of which is required. An empty one means that no authentication is required. */
export function securityOf(reference: Reference, operation: Fields): SecurityChoice[] {
  const holder = Array.isArray(operation.security) ? operation : reference.document;
  const schemes = new Map(securitySchemes(reference).map((scheme) => [scheme.name, scheme]));
  return listAt(holder, 'security')
    .filter(isObject)
    .map((choice) =>
      Object.keys(choice).map((name) => ({
        scheme: schemes.get(name) ?? schemeOf(name, {}, `The description has no security scheme "${name}".`),
        scopes: textsAt(choice, name),
      })),
    );
}

function schemeOf(name: string, node: Fields, problem?: string): SecurityScheme {
  return { name, description: textAt(node, 'description'), flows: flowsOf(node), problem, ...methodOf(name, node) };
}

function methodOf(name: string, node: Fields): Pick<SecurityScheme, 'kind' | 'place'> {
  const type = textAt(node, 'type');
  const scheme = textAt(node, 'scheme') ?? '';
  const withHeader = (kind: string, prefix = 'Bearer', sample = 'YOUR_TOKEN') => ({
    kind,
    place: { in: 'header' as const, name: 'Authorization', prefix: `${prefix} `, sample },
  });
  const basic = withHeader('User name and password (HTTP Basic)', 'Basic', 'CREDENTIALS');
  switch (type) {
    case 'apiKey': {
      const place = node.in === 'query' || node.in === 'cookie' ? node.in : 'header';
      const kind = `API key in ${{ query: 'the query', cookie: 'a cookie', header: 'a header' }[place]}`;
      return { kind, place: { in: place, name: textAt(node, 'name') ?? name, prefix: '', sample: 'YOUR_API_KEY' } };
    }
    case 'basic':
      return basic;
    case 'http': {
      if (scheme.toLowerCase() === 'basic') return basic;
      if (scheme.toLowerCase() !== 'bearer') return withHeader(`HTTP ${scheme}`, scheme);
      const format = textAt(node, 'bearerFormat');
      return withHeader(`Bearer token${format === undefined ? '' : ` (${format})`}`);
    }
    case 'oauth2':
      return withHeader('OAuth 2.0');
    case 'openIdConnect':
      return withHeader('OpenID Connect');
    case 'mutualTLS':
      return { kind: 'Client certificate (mutual TLS)', place: undefined };
    default:
      return { kind: type ?? 'unknown', place: undefined };
  }
}

const flowKinds: Record<string, string> = {
  authorizationCode: 'Authorization code',
  accessCode: 'Authorization code',
  clientCredentials: 'Client credentials',
  application: 'Client credentials',
  implicit: 'Implicit',
  password: 'Password',
  deviceAuthorization: 'Device authorization',
};

function flowsOf(node: Fields): SecurityScheme['flows'] {
  const url = textAt(node, 'openIdConnectUrl');
  if (url !== undefined) return [{ kind: 'Discovery', addresses: [{ label: 'Configuration', url }], scopes: [] }];
  // In Swagger 2, the scheme itself is the only flow.
  const single = textAt(node, 'flow');
  const flows: [string, unknown][] = single === undefined ? entriesAt(node, 'flows') : [[single, node]];
  return flows.flatMap(([kind, flow]) => {
    if (!isObject(flow)) return [];
    const addresses = [
      { label: 'Authorization', url: textAt(flow, 'authorizationUrl') },
      { label: 'Device authorization', url: textAt(flow, 'deviceAuthorizationUrl') },
      { label: 'Token', url: textAt(flow, 'tokenUrl') },
      { label: 'Refresh', url: textAt(flow, 'refreshUrl') },
    ].flatMap(({ label, url: address }) => (address === undefined ? [] : [{ label, url: address }]));
    const scopes = entriesAt(flow, 'scopes').map(([name, text]) => ({ name, description: String(text ?? '') }));
    return [{ kind: flowKinds[kind] ?? kind, addresses, scopes }];
  });
}
