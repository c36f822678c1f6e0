import { ClientError } from './client-error.ts';

interface Circumstances {
  code?: string;
  refused?: boolean;
  lasting?: boolean;
  hint?: string;
}

/** No answer came, or not all of it: refused, reset, unknown name, untrusted certificate. */
export class NetworkError extends ClientError {
  override name = 'NetworkError';
  /** The system's word for it, such as `ECONNRESET`. */
  code?: string;
  /** The connection was refused, so the request was certainly not carried out. */
  refused: boolean;
  /** Another try would end the same way. */
  lasting: boolean;

  constructor(message: string, { code, refused = false, lasting = false, hint }: Circumstances = {}) {
    super(message, hint);
    if (code !== undefined) this.code = code;
    this.refused = refused;
    this.lasting = lasting;
  }
}
