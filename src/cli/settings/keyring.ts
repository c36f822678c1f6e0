import { messageOf } from '../../shared/error-text.ts';

/** The secret store of the system: Keychain, Credential Manager, Secret Service. */
export interface Keyring {
  get(id: string): Promise<string | undefined>;
  set(id: string, secret: string): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Why the keyring cannot be used, which is normal on servers. */
export class NoKeyring extends Error {}

const service = 'docsctl';

/** @throws NoKeyring if the module is not installed or DOCSCTL_KEYRING turns it off */
export async function openKeyring(env: Record<string, string | undefined> = process.env): Promise<Keyring> {
  if (['off', '0', 'false'].includes(env.DOCSCTL_KEYRING?.toLowerCase() ?? '')) {
    throw new NoKeyring(`DOCSCTL_KEYRING=${env.DOCSCTL_KEYRING} turns it off`);
  }
  const { AsyncEntry } = await import('@napi-rs/keyring').catch(() => {
    throw new NoKeyring('the package @napi-rs/keyring is not installed for this system');
  });
  // The other store on Linux is that of the kernel, which loses everything at a restart.
  const entry = (id: string) => new AsyncEntry(service, id, { linux: { store: 'secret-service' } });
  return {
    get: (id) => keyringErrors(async () => (await entry(id).getPassword()) ?? undefined),
    set: (id, secret) => keyringErrors(() => entry(id).setPassword(secret)),
    delete: (id) =>
      keyringErrors(async () => {
        await entry(id).deletePassword();
      }),
  };
}

/** Turns errors of the keyring module into NoKeyring. */
async function keyringErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new NoKeyring(messageOf(error).replace(/^Platform failure: /, ''), { cause: error });
  }
}
