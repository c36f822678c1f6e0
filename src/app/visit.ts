import type { Client } from '../client/client.ts';
import type { AppInstance } from './port.ts';

/** A request of a user who is signed in. */
export interface Visit {
  client: Client;
  instance: AppInstance;
  /** The ID of the user. */
  user: string;
  /** The part of the public address before the paths, such as `/docs`; empty at the root. */
  root: string;
  /** The path below the root, decoded. */
  parts: string[];
  query: URLSearchParams;
  /** Whether the answer is a page, and not data for a script of a page. */
  isForBrowser: boolean;
  /** The token that a form to this address, without the root, must contain. */
  tokenFor(action: string): string;
}

/** The path of an object below the root. */
export const pathOf = (...parts: string[]): string => `/o/${parts.map(encodeURIComponent).join('/')}`;

export const hrefOf = ({ root }: Pick<Visit, 'root'>, ...parts: string[]): string => root + pathOf(...parts);

/** The application has no page at the address. */
export class NoPage extends Error {}
