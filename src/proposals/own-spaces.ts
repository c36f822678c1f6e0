import type { Client } from '../client/client.ts';
import type { Exchange } from '../client/exchange.ts';
import { hiddenSpaces } from '../organization/state/hidden-space.ts';
import { decodeAddress } from '../shared/decode.ts';
import { EngineError } from '../shared/engine-error.ts';
import { jsonOf } from '../shared/json-of.ts';
import { visible } from '../shared/visible.ts';

/** @throws EngineError for requests about the spaces of docsctl: a proposal must not approve another one */
export async function refuseOwnSpaces(client: Client, orgId: string, exchanges: readonly Exchange[]): Promise<void> {
  const own = (await hiddenSpaces(client, orgId)).map(({ id }) => id);
  const about = exchanges.find(({ request }) => own.some((id) => plainText(request).includes(id)));
  if (!about) return;
  const { method, path } = about.request;
  throw new EngineError(
    'refused',
    `It changes a space in which docsctl keeps its own data: ${method} ${visible(path)}.`,
    { hint: 'Such changes cannot be proposed.' },
  );
}

/** The address and the body without escapes, which could hide an ID. */
function plainText({ path, body }: Exchange['request']): string {
  const text = body === undefined ? '' : Buffer.from(body).toString();
  // A part that is not encoded properly must not keep the others from being decoded.
  const address = path.split(/(?=[/?&=])/).map(decodeAddress);
  return `${address.join('')} ${text} ${JSON.stringify(jsonOf(text)) ?? ''}`;
}
