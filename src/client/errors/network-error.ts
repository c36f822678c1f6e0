import { ClientError } from './client-error.ts';

interface Circumstances {
  code?: string;
  refused?: boolean;
  lasting?: boolean;
  hint?: string;
}

/** No answer, or not all of it: connection refused or reset, unknown host name, untrusted certificate. */
export class NetworkError extends ClientError {
  override name = 'NetworkError';
  /** The error code of the system, such as `ECONNRESET`. */
  code?: string;
  /** The connection was refused, so the request was certainly not carried out. */
  refused: boolean;
  /** Another attempt would fail in the same way. */
  lasting: boolean;

  constructor(message: string, { code, refused = false, lasting = false, hint }: Circumstances = {}) {
    super(message, hint);
    if (code !== undefined) this.code = code;
    this.refused = refused;
    this.lasting = lasting;
  }
}
