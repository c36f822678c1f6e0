import { placeOfToken } from '../../cli/settings/credentials.ts';
import { embeddedFile } from '../../cli/settings/session.ts';

/** Where the token of a profile is, as it is shown. */
export const tokenPlace = (profile: string, url: string): string =>
  embeddedFile(url) === undefined ? (placeOfToken(profile) ?? 'none') : 'not needed';
