import { isObject } from '../../shared/is-object.ts';
import { entriesAt, listAt, type Fields, objectAt, textAt, textsAt } from '../fields.ts';
import type { Reference } from './reference.ts';

/** A way to prove who one is. */
export interface SecurityScheme {
  name: string;
  /** Where the proof is sent; undefined for what a request cannot show, such as a certificate. */
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

/** Schemes that are needed together, each with its scopes. */
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

/** What an operation needs: one of the choices; an empty one means that nothing is needed. */
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
  const type = textAt(node, 'type');
  const scheme = textAt(node, 'scheme')?.toLowerCase() ?? '';
  const format = textAt(node, 'bearerFormat');
  const scheme_ = { name, description: textAt(node, 'description'), flows: flowsOf(node), problem };
  const inHeader = (prefix: string, sample: string) => ({
    in: 'header' as const,
    name: 'Authorization',
    prefix,
    sample,
  });
  switch (type) {
    case 'apiKey': {
      const place = node.in === 'query' || node.in === 'cookie' ? node.in : 'header';
      const key = textAt(node, 'name') ?? name;
      const kind = `API key in ${place === 'query' ? 'the query' : place === 'cookie' ? 'a cookie' : 'a header'}`;
      return { ...scheme_, kind, place: { in: place, name: key, prefix: '', sample: 'YOUR_API_KEY' } };
    }
    case 'basic':
      return { ...scheme_, kind: 'User name and password (HTTP Basic)', place: inHeader('Basic ', 'CREDENTIALS') };
    case 'http': {
      if (scheme === 'basic')
        return { ...scheme_, kind: 'User name and password (HTTP Basic)', place: inHeader('Basic ', 'CREDENTIALS') };
      const isBearer = scheme === 'bearer';
      const kind = isBearer
        ? `Bearer token${format === undefined ? '' : ` (${format})`}`
        : `HTTP ${textAt(node, 'scheme') ?? ''}`;
      const prefix = isBearer ? 'Bearer ' : `${textAt(node, 'scheme') ?? ''} `;
      return { ...scheme_, kind, place: inHeader(prefix, 'YOUR_TOKEN') };
    }
    case 'oauth2':
      return { ...scheme_, kind: 'OAuth 2.0', place: inHeader('Bearer ', 'YOUR_TOKEN') };
    case 'openIdConnect':
      return { ...scheme_, kind: 'OpenID Connect', place: inHeader('Bearer ', 'YOUR_TOKEN') };
    case 'mutualTLS':
      return { ...scheme_, kind: 'Client certificate (mutual TLS)', place: undefined };
    default:
      return { ...scheme_, kind: type ?? 'unknown', place: undefined };
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
  // Swagger 2 has one flow, in the scheme itself.
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
