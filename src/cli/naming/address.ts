import { decodeAddress } from '../../shared/decode.ts';
import { objects, type ObjectKind } from '../../contract/objects.ts';

/** Words before an id in addresses of the API (`teams`) and of the app (`s`), with the path parameter. */
const apiWords = new Map<string, string>([['users', 'userId']]);
const appWords = new Map<string, string>();
for (const [param, { list, appWord }] of Object.entries<ObjectKind>(objects)) {
  if (list !== undefined) apiWords.set(list.slice(list.lastIndexOf('/') + 1), param);
  if (appWord !== undefined) appWords.set(appWord, param);
}

/**
 * The path parameters in an address of the API (`urls.location`) or of the app (`urls.app`). A page of the app is named
 * by its path: `path:guides/install`. Empty for any other address, such as that of a published site.
 */
export function paramsOfAddress(address: string): Record<string, string> {
  const segments = new URL(address).pathname.split('/').filter(Boolean).map(decodeAddress);
  const api = segments.indexOf('v1');
  if (api >= 0) return paramsIn(segments.slice(api + 1), apiWords).params;
  const app = segments.indexOf('o');
  if (app < 0 || segments.includes('published')) return {};
  const { params, rest } = paramsIn(segments.slice(app), appWords);
  // `/r/<revision>` shows an old state; the object is the space.
  if (params.spaceId === undefined || rest.length === 0 || rest[0] === 'r') return params;
  return { ...params, pageId: `path:${rest.join('/')}` };
}

/** Pairs of a word and a value. Words without a value, such as `content` in addresses of the API, are passed over. */
function paramsIn(segments: string[], words: ReadonlyMap<string, string>) {
  const params: Record<string, string> = {};
  const rest: string[] = [];
  for (let index = 0; index < segments.length; index++) {
    const param = words.get(segments[index] ?? '');
    const value = segments[index + 1];
    if (param === undefined || value === undefined || rest.length > 0) {
      if (words === appWords) rest.push(segments[index] ?? '');
      continue;
    }
    params[param] = value;
    index++;
  }
  return { params, rest };
}
