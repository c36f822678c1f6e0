import { ClientError } from './errors/client-error.ts';
import { NetworkError } from './errors/network-error.ts';
import { TimedOut, type Awaited } from './errors/timed-out.ts';

/** The destination of a request, for messages. */
export interface Place {
  address: string;
  proxy: URL | undefined;
}

interface Cause {
  words: string;
  hint?: string;
  refused?: true;
  lasting?: true;
}

const untrusted: Cause = {
  words: 'its certificate is not trusted',
  hint: 'If a private authority signed it, set NODE_EXTRA_CA_CERTS to a PEM file with the certificates of that authority.',
  lasting: true,
};
const unreachable: Cause = { words: 'its network is unreachable', hint: 'Check the network and the address.' };

const causes: Record<string, Cause> = {
  ECONNREFUSED: {
    words: 'connection refused',
    hint: 'Check that the address is right and the service is running.',
    refused: true,
  },
  ENOTFOUND: {
    words: 'host name not found',
    hint: 'Check the spelling of the address, and the DNS servers.',
    lasting: true,
  },
  EAI_AGAIN: { words: 'the lookup of its host name failed', hint: 'Check the network and the DNS servers.' },
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: { words: 'the connection timed out', hint: 'Check the network and the address.' },
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_HAS_EXPIRED: {
    words: 'its certificate has expired',
    hint: 'Check the clock of this machine. If it is right, the service needs a new certificate.',
    lasting: true,
  },
  CERT_NOT_YET_VALID: {
    words: 'its certificate is not valid yet',
    hint: 'Check the clock of this machine.',
    lasting: true,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    words: 'its certificate is for another name',
    hint: 'Check the host name in the address.',
    lasting: true,
  },
  UND_ERR_HEADERS_OVERFLOW: { words: 'the headers of its answer are too large', lasting: true },
};

const wrongProtocol = (protocol: string): Cause => ({
  words: `it does not use ${protocol}`,
  hint: 'Check the address: http or https, and the port.',
  lasting: true,
});

/** An error of undici or the system, as one that names the address and the cause in plain words. */
export function failureOf(
  error: Error & { code?: string },
  awaited: Awaited,
  limits: Record<Awaited, number>,
  place: Place,
): ClientError {
  const code = error.code ?? '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new TimedOut('connection', limits.connection, place.address);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return closedClient();
  const refusal = /^Proxy [^(]{1,100}\((\d{3})\)/.exec(error.message)?.[1];
  if (refusal !== undefined) return refusedByProxy(refusal, place);
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return new ClientError(`The request cannot be sent: ${error.message}.`);
  }
  // undici has no error code for it.
  if (error.message === 'bad upgrade') return protocolSwitched(place);
  const { words, ...rest } = causeOf(code, error.name, awaited);
  return new NetworkError(`No answer from ${address(place)}: ${words}.`, { code, ...rest });
}

export const closedClient = () => new ClientError('The client is closed.');

/** What follows a switch of protocols is not an HTTP answer. */
export function protocolSwitched(place: Place): NetworkError {
  return new NetworkError(
    `No answer from ${address(place)}: it switched to another protocol (101) without being asked.`,
    {
      lasting: true,
      hint: 'Check the address and the port: another kind of service may be listening there.',
    },
  );
}

/** For an answer whose compressed body cannot be read. */
export function damaged(place: Place): NetworkError {
  return new NetworkError(`The answer from ${address(place)} could not be decompressed.`);
}

export function tooLarge(place: Place): NetworkError {
  return new NetworkError(`The answer from ${address(place)} is too large.`, { lasting: true });
}

function causeOf(code: string, name: string, awaited: Awaited): Cause {
  const cause = Object.hasOwn(causes, code) ? causes[code] : undefined;
  if (cause !== undefined) return cause;
  if (/^(EPROTO$|ERR_SSL_|UND_ERR_PRX_TLS)/.test(code)) return wrongProtocol('TLS as it should');
  // undici's parser errors do not always have a code.
  if (name === 'HTTPParserError' && awaited === 'answer') return wrongProtocol('HTTP');
  return {
    connection: { words: 'the connection was closed before it was ready' },
    answer: { words: 'the connection was closed before an answer came' },
    rest: { words: 'the connection was closed in the middle of its answer' },
  }[awaited];
}

function refusedByProxy(status: string, place: Place): NetworkError {
  return new NetworkError(`No answer from ${address(place)}: the proxy answered ${status}.`, {
    lasting: status.startsWith('4'),
    hint:
      status === '407'
        ? 'Put the user name and password into the address of the proxy: http://user:password@host:port.'
        : 'Check the proxy settings, or add the host to NO_PROXY.',
  });
}

const address = ({ address: to, proxy }: Place) => (proxy ? `${to} through the proxy ${proxy.origin}` : to);
