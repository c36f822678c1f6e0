import type { SampleRequest } from '../../openapi/reference/request.ts';

/** What the script of a page writes samples of. */
export interface SampleData {
  /** The start of the address, which the choice of a server replaces. */
  base: string;
  request: SampleRequest;
  /** By the choices of content type and variant. Pages do not contain bodies that are too long. */
  contents: { headers: SampleRequest['headers']; bodies: (SampleRequest['body'] | 'too-long')[] }[];
}
