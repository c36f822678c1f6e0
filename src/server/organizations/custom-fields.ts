import { fields, type FieldType, isSelect, maxTags, maxTextLength } from '../../contract/custom-fields.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Fault, Rule } from '../../contract/errors.ts';
import { pointer } from '../../contract/validation-issues.ts';
import { isUniqueViolation } from '../../store/connection.ts';
import * as store from '../../store/custom-fields.ts';
import type { Db } from '../../store/store.ts';
import { organizationAllows } from '../engine/access.ts';
import type { OrgAt } from '../engine/context.ts';
import { Conflict, Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { optional } from './orgs.ts';
import { paged } from '../engine/paging.ts';

type CustomField = AnswerOf<typeof fields.view>;
type Value = string | number | boolean | string[];

const present = (base: string, org: OrgAt, row: store.FieldRow): CustomField => ({
  id: row.id,
  name: row.name,
  title: row.title,
  description: row.description,
  type: row.type as FieldType,
  placeholder: row.placeholder,
  ...optional('options', optionsOf(row)),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  urls: { location: `${base}/v1/orgs/${org.id}/custom-fields/${row.name}` },
  permissions: { view: organizationAllows(org, 'read'), edit: organizationAllows(org, 'admin') },
});

const optionsOf = (row: store.FieldRow) => (row.options === null ? undefined : (JSON.parse(row.options) as string[]));

/** What is wrong with a value for a field, or undefined. */
function faultOf(field: store.FieldRow, value: Value): { at?: number; rule: Rule; message: string } | undefined {
  const options = optionsOf(field) ?? [];
  const offered = `one of ${options.join(', ')}`;
  switch (field.type as FieldType) {
    case 'text':
      if (typeof value !== 'string') return { rule: 'type', message: 'must be a string' };
      return lengthFault(value);
    case 'number':
      return typeof value === 'number' ? undefined : { rule: 'type', message: 'must be a number' };
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { rule: 'type', message: 'must be true or false' };
    case 'select:single':
      if (typeof value !== 'string') return { rule: 'type', message: 'must be a string' };
      return options.includes(value) ? undefined : { rule: 'enum', message: `must be ${offered}` };
    case 'select:multi':
      return itemFault(value, (item) =>
        options.includes(item) ? undefined : { rule: 'enum', message: `must be ${offered}` },
      );
    case 'tags':
      if (Array.isArray(value) && value.length > maxTags) {
        return { rule: 'maxItems', message: `must have at most ${maxTags} items` };
      }
      return itemFault(value, lengthFault);
  }
}

function lengthFault(value: string): { rule: Rule; message: string } | undefined {
  return [...value].length > maxTextLength
    ? { rule: 'maxLength', message: `must be at most ${maxTextLength} characters` }
    : undefined;
}

function itemFault(value: Value, fault: (item: string) => { rule: Rule; message: string } | undefined) {
  if (!Array.isArray(value)) return { rule: 'type' as const, message: 'must be an array of strings' };
  for (const [at, item] of value.entries()) {
    const found =
      value.indexOf(item) < at ? { rule: 'unique' as const, message: 'repeats an earlier item' } : fault(item);
    if (found) return { at, ...found };
  }
  return undefined;
}

/** Takes options that a field no longer offers out of the values of all spaces. */
async function dropFromValues(db: Db, field: store.FieldRow, kept: string[]): Promise<void> {
  for (const row of await store.valuesOf(db, field.id)) {
    const value = JSON.parse(row.value) as string | string[];
    if (typeof value === 'string') {
      if (!kept.includes(value)) await store.setValue(db, row.space, field.id, null);
    } else if (!value.every((item) => kept.includes(item))) {
      await store.setValue(db, row.space, field.id, JSON.stringify(value.filter((item) => kept.includes(item))));
    }
  }
}

export const handlers = implement(fields, {
  list: ({ db, at: { org }, page, base }) =>
    paged(page, {
      rows: (after, limit) => store.listFields(db, org.id, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.created_at, row.id],
      count: () => store.countFields(db, org.id),
      present: (rows) => rows.map((row) => present(base, org, row)),
    }),

  async create({ db, at: { org }, body, base, now }) {
    try {
      const row = await store.createField(db, {
        organization: org.id,
        name: body.name,
        title: body.title ?? '',
        description: body.description ?? '',
        type: body.type,
        placeholder: body.placeholder ?? '',
        options: body.options === undefined ? null : JSON.stringify(body.options),
        created_at: now,
        updated_at: now,
      });
      return present(base, org, row);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new Conflict('already-exists', `There is a custom field "${body.name}" already. Choose another name.`);
    }
  },

  view: async ({ at: { org, field }, base }) => present(base, org, field),

  async edit({ db, at: { org, field }, body, base, now }) {
    const { title, description, placeholder, options } = body;
    if (options && !isSelect(field.type)) {
      throw new Invalid('/options', `is for select fields only; this field is of type ${field.type}`, 'unexpected');
    }
    const change = {
      ...optional('title', title),
      ...optional('description', description),
      ...optional('placeholder', placeholder),
      ...optional('options', options && JSON.stringify(options)),
    };
    if (Object.keys(change).length === 0) return present(base, org, field);
    await store.changeField(db, field.id, { ...change, updated_at: now });
    if (options) await dropFromValues(db, field, options);
    return present(base, org, { ...field, ...change, updated_at: now });
  },

  async delete({ db, at: { field } }) {
    await store.deleteField(db, field.id);
  },

  async viewValues({ db, at: { org, space }, base }) {
    const rows = await store.listValues(db, org.id, space.id);
    return rows.map((row) => ({
      customField: present(base, org, row),
      ...optional('value', row.value === null ? undefined : (JSON.parse(row.value) as Value)),
    }));
  },

  async setValues({ db, at: { org, space }, body }) {
    const known = new Map((await store.listValues(db, org.id, space.id)).map((row) => [row.name, row]));
    const faults: Fault[] = [];
    for (const [name, { value }] of Object.entries(body.values)) {
      const field = known.get(name);
      const path = ['values', name];
      if (!field) {
        faults.push({
          in: 'body',
          path: pointer(path),
          rule: 'reference',
          message: 'names no custom field of this organization',
        });
        continue;
      }
      const fault = value === null ? undefined : faultOf(field, value);
      if (fault) {
        const at = fault.at === undefined ? [] : [fault.at];
        faults.push({ in: 'body', path: pointer([...path, 'value', ...at]), rule: fault.rule, message: fault.message });
      } else await store.setValue(db, space.id, field.id, value === null ? null : JSON.stringify(value));
    }
    // What was set above is undone with the rest of the transaction.
    if (faults.length > 0) throw new Invalid(faults);
  },
});
