import { isObject } from '../../shared/is-object.ts';
import type { Document, Place } from '../parse/place.ts';

/**
 * From 3.1 on, a document or a schema may name its dialect. Rules know only the one of OpenAPI.
 *
 * @returns whether a schema at a place is in another dialect
 */
export function foreignDialects(root: unknown, documents: readonly Document[]): (place: () => Place) => boolean {
  if (isObject(root) && isForeign(root.jsonSchemaDialect)) return () => true;
  if (!documents.some(({ dialects }) => [...dialects].some(isForeign))) return () => false;
  return (placeOf) => {
    for (let current: Place | undefined = placeOf(); current; current = current.parent) {
      if (isObject(current.node) && isForeign(current.node.$schema)) return true;
    }
    return false;
  };
}

const supported = /^https:\/\/(?:spec\.openapis\.org\/oas\/|json-schema\.org\/draft\/2020-12\/)/;
const isForeign = (dialect: unknown) => typeof dialect === 'string' && !supported.test(dialect);
