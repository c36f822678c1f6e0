import * as z from 'zod/mini';
import { isObject } from '../shared/is-object.ts';
import { dateTime, flags, lazy, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, distinct, list, record } from './schema.ts';

export const fieldTypes = ['text', 'number', 'boolean', 'tags', 'select:single', 'select:multi'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Whether values of this type are chosen from the field's options. */
export const isSelect = (type: string) => type === 'select:single' || type === 'select:multi';

/** Longest text, and longest tag. */
export const maxTextLength = 256;
export const maxTags = 50;

const name = () =>
  text(
    { min: 1, max: 50, form: { pattern: /^[a-z_0-9-]+$/, message: 'must be lower-case letters, digits, _ and -' } },
    'Name in addresses, 1 to 50 characters: lower-case letters, digits, _ and -.',
    // JSON that is read into objects drops this key, so no value could ever be set.
  ).check(z.refine((value) => value !== '__proto__', { params: { rule: 'pattern' }, message: 'is a reserved name' }));
const labels = () => ({
  title: z.optional(text({ max: 100 }, 'Title, at most 100 characters.')),
  description: z.optional(text({ max: 200 }, 'Description, at most 200 characters.')),
  placeholder: z.optional(text({ max: 100 }, 'Placeholder of the empty field, at most 100 characters.')),
  options: z.optional(
    z
      .array(text({ min: 1, max: 40 }))
      .check(
        z.minLength(1),
        z.maxLength(50),
        distinct(),
        z.meta({ description: 'Options of a select field, 1 to 50.', uniqueItems: true }),
      ),
  ),
});

export const CustomField = lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    title: z.string(),
    description: z.string(),
    type: z.enum(fieldTypes),
    placeholder: z.string(),
    options: z.optional(z.array(z.string())),
    createdAt: dateTime(),
    updatedAt: dateTime(),
    urls: z.object({ location: z.string() }),
    permissions: flags('view', 'edit'),
  }),
);

const FieldValue = () => z.union([z.string(), z.number(), z.boolean(), list(z.string())]);
export type FieldValue = z.output<ReturnType<typeof FieldValue>>;

interface Described {
  type: unknown;
  options?: unknown;
}

export const fields = endpoints('fields', {
  list: {
    route: 'GET /v1/orgs/{orgId}/custom-fields',
    summary: 'List the custom fields of an organization.',
    access: 'organization.read',
    items: CustomField,
  },
  create: {
    route: 'POST /v1/orgs/{orgId}/custom-fields',
    summary: 'Create a custom field for spaces.',
    access: 'organization.admin',
    body: () =>
      z.object({ name: name(), type: about(z.enum(fieldTypes), 'Type of the values.'), ...labels() }).check(
        z.refine<Described>(({ type, options }) => !isSelect(String(type)) || options !== undefined, {
          path: ['options'],
          params: { rule: 'required' },
          message: 'is required for a select field',
          when: bodyIsObject,
        }),
        z.refine<Described>(({ type, options }) => isSelect(String(type)) || options === undefined, {
          path: ['options'],
          params: { rule: 'unexpected' },
          message: 'is for select fields only',
          when: bodyIsObject,
        }),
      ),
    response: CustomField,
    status: 201,
  },
  view: {
    route: 'GET /v1/orgs/{orgId}/custom-fields/{fieldName}',
    summary: 'Show a custom field.',
    access: 'organization.read',
    response: CustomField,
  },
  edit: {
    route: 'PATCH /v1/orgs/{orgId}/custom-fields/{fieldName}',
    summary: 'Edit a custom field; removed options are also removed from all values.',
    access: 'organization.admin',
    body: () => z.object(labels()),
    response: CustomField,
  },
  delete: {
    route: 'DELETE /v1/orgs/{orgId}/custom-fields/{fieldName}',
    summary: 'Delete a custom field and all its values.',
    access: 'organization.admin',
    status: 204,
  },
  viewValues: {
    route: 'GET /v1/spaces/{spaceId}/custom-fields',
    summary: 'Show the custom fields of a space and their values.',
    access: 'space.view',
    response: () => z.array(z.object({ customField: CustomField(), value: z.optional(FieldValue()) })),
  },
  setValues: {
    route: 'PATCH /v1/spaces/{spaceId}/custom-fields',
    summary: 'Set custom field values of a space; others stay unchanged.',
    access: 'space.edit',
    body: () =>
      z.object({
        values: about(
          record(z.string(), z.object({ value: z.nullable(FieldValue()) })),
          'Values by field name, each as {"value": ...}; null clears one.',
        ),
      }),
    status: 204,
  },
});

// Reported together with the errors of other members, not only after those are corrected.
function bodyIsObject({ value }: { value: unknown }): boolean {
  return isObject(value) && fieldTypes.some((type) => type === value.type);
}
