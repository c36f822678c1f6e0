import { fields, type FieldValue, isSelect, maxTags, maxTextLength } from '../../contract/custom-fields.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Rule, ValidationIssue } from '../../contract/errors.ts';
import { pointer } from '../../contract/validation-issues.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import * as store from '../../store/custom-fields.ts';
import { jsonText, parseJson } from '../../store/json.ts';
import type { Db } from '../../store/store.ts';
import { organizationAllows } from '../engine/access.ts';
import type { LoadedOrg } from '../engine/context.ts';
import { Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { pagedByCreated } from '../engine/paging.ts';
import { writeUnique } from '../engine/write-unique.ts';

type CustomField = AnswerOf<typeof fields.view>;

const present = (base: string, org: LoadedOrg, row: store.FieldRow): CustomField => ({
  id: row.id,
  name: row.name,
  title: row.title,
  description: row.description,
  type: row.type,
  placeholder: row.placeholder,
  options: row.options === null ? undefined : parseJson(row.options),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  urls: { location: `${base}/v1/orgs/${org.id}/custom-fields/${row.name}` },
  permissions: { view: organizationAllows(org, 'read'), edit: organizationAllows(org, 'admin') },
});

/** What is wrong with a value, or with one item of it. */
interface ValueIssue {
  item?: number;
  rule: Rule;
  message: string;
}

function issueWith(field: store.FieldRow, value: FieldValue): ValueIssue | undefined {
  const options = field.options === null ? [] : parseJson(field.options);
  const optionIssue = (option: string): ValueIssue | undefined =>
    options.includes(option) ? undefined : { rule: 'enum', message: `must be one of ${options.join(', ')}` };
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? lengthIssue(value) : { rule: 'type', message: 'must be a string' };
    case 'number':
      return typeof value === 'number' ? undefined : { rule: 'type', message: 'must be a number' };
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { rule: 'type', message: 'must be true or false' };
    case 'select:single':
      return typeof value === 'string' ? optionIssue(value) : { rule: 'type', message: 'must be a string' };
    case 'select:multi':
      return itemIssue(value, optionIssue);
    case 'tags':
      if (Array.isArray(value) && value.length > maxTags)
        return { rule: 'maxItems', message: `must have at most ${maxTags} items` };
      return itemIssue(value, lengthIssue);
  }
}

function lengthIssue(text: string): ValueIssue | undefined {
  return [...text].length > maxTextLength
    ? { rule: 'maxLength', message: `must be at most ${maxTextLength} characters` }
    : undefined;
}

function itemIssue(value: FieldValue, issueOf: (item: string) => ValueIssue | undefined): ValueIssue | undefined {
  if (!Array.isArray(value)) return { rule: 'type', message: 'must be an array of strings' };
  for (const [index, item] of value.entries()) {
    if (value.indexOf(item) < index) return { item: index, rule: 'unique', message: 'repeats an earlier item' };
    const issue = issueOf(item);
    if (issue) return { ...issue, item: index };
  }
  return undefined;
}

/** Removes options that a field does not offer any more from the values of all spaces. */
async function removeOtherOptions(db: Db, field: store.FieldRow, options: string[]): Promise<void> {
  for (const row of await store.valuesOf(db, field.id)) {
    const value = parseJson(row.value);
    if (Array.isArray(value)) {
      const remaining = value.filter((item) => options.includes(item));
      if (remaining.length < value.length) await store.setValue(db, row.space, field.id, jsonText(remaining));
    } else if (typeof value === 'string' && !options.includes(value)) {
      await store.setValue(db, row.space, field.id, null);
    }
  }
}

/** Where a value of the body of `setValues` is wrong. */
function requestIssue(
  field: store.FieldRow | undefined,
  name: string,
  value: FieldValue | null,
): ValidationIssue | undefined {
  const path = ['values', name];
  if (!field) {
    const message = 'is not a custom field of this organization';
    return { in: 'body', path: pointer(path), rule: 'reference', message };
  }
  const issue = value === null ? undefined : issueWith(field, value);
  if (!issue) return undefined;
  const { item, rule, message } = issue;
  return { in: 'body', path: pointer([...path, 'value', ...(item === undefined ? [] : [item])]), rule, message };
}

export const handlers = implement(fields, {
  list: ({ db, objects: { org }, page, base }) =>
    pagedByCreated({ db, page }, store.byCreated, org.id, (rows) => rows.map((row) => present(base, org, row))),

  async create({ db, objects: { org }, body, base, now }) {
    const field = {
      organization: org.id,
      name: body.name,
      title: body.title ?? '',
      description: body.description ?? '',
      type: body.type,
      placeholder: body.placeholder ?? '',
      options: body.options === undefined ? null : jsonText(body.options),
      created_at: now,
      updated_at: now,
    };
    const message = `A custom field named "${body.name}" exists already. Choose another name.`;
    return present(base, org, await writeUnique(message, () => store.createField(db, field)));
  },

  view: async ({ objects: { org, field }, base }) => present(base, org, field),

  async edit({ db, objects: { org, field }, body, base, now }) {
    const { title, description, placeholder, options } = body;
    if (options && !isSelect(field.type))
      throw new Invalid('/options', `is for select fields only; this field is of type ${field.type}`, 'unexpected');
    const change = withoutUndefined({ title, description, placeholder, options: options && jsonText(options) });
    if (Object.keys(change).length === 0) return present(base, org, field);
    const row = await store.changeField(db, field.id, { ...change, updated_at: now });
    if (options) await removeOtherOptions(db, field, options);
    return present(base, org, row);
  },

  delete: ({ db, objects: { field } }) => store.deleteField(db, field.id),

  async viewValues({ db, objects: { org, space }, base }) {
    const rows = await store.listValues(db, org.id, space.id);
    return rows.map((row) => ({
      customField: present(base, org, row),
      value: row.value === null ? undefined : parseJson(row.value),
    }));
  },

  async setValues({ db, objects: { org, space }, body }) {
    const fieldsByName = new Map((await store.listValues(db, org.id, space.id)).map((row) => [row.name, row]));
    const issues: ValidationIssue[] = [];
    for (const [name, { value }] of Object.entries(body.values)) {
      const field = fieldsByName.get(name);
      const issue = requestIssue(field, name, value);
      if (issue) issues.push(issue);
      else if (field) await store.setValue(db, space.id, field.id, value === null ? null : jsonText(value));
    }
    // The transaction undoes the values that were set.
    if (issues.length > 0) throw new Invalid(issues);
  },
});
