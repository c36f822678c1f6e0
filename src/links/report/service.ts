import { fields } from '../../contract/custom-fields.ts';
import { type ReadPort, readService } from '../service-world.ts';
import { dateOf, type PageFacts, reportOn, type ReportOptions, type ReportRow } from './content-report.ts';

/** Reports on all spaces of an organization: owners and reviews from the custom fields of their spaces. */
export async function reportOnService(port: ReadPort, orgId: string, options: ReportOptions): Promise<ReportRow[]> {
  const world = await readService(port, orgId);
  const values = new Map<string, Pick<PageFacts, 'owner' | 'review'>>();
  for (const { id } of world.spaces) {
    const held = await port.client.call(fields.viewValues, { params: { spaceId: id } });
    const valueOf = (name: string) => held.find(({ customField }) => customField.name === name)?.value;
    values.set(id, {
      owner: textOf(valueOf(options.ownerField)),
      review: dateOf(textOf(valueOf(options.reviewField))),
    });
  }
  const { rows, checked } = await reportOn(
    world,
    (page) => ({ changed: page.updatedAt?.slice(0, 10), ...values.get(page.space.id ?? '') }),
    options,
  );
  const unused = world.spaces.flatMap((space) => {
    const used = checked.uses.filesOf(space);
    return space.files.flatMap(({ id, name, size }): ReportRow[] =>
      used.has(id) ? [] : [{ where: `${space.name}: ${name}`, size, problems: ['unused'] }],
    );
  });
  return [...rows, ...unused];
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
