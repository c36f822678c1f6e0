import { setIdSource } from '../../store/ids.ts';
import type { Instance } from '../engine/instance.ts';
import { openDemo } from './calls.ts';
import { addChangeRequests } from './change-requests.ts';
import { addContent } from './content.ts';
import { addOrganization } from './organization.ts';
import { addPeople } from './people.ts';
import { addSettings } from './settings.ts';
import { addSites } from './sites.ts';

/**
 * Fills an instance with the same objects and ids each time, so that examples can name them. Times are relative to now.
 * Most of it is created by ordinary requests; the members are inserted.
 *
 * @param members how many there are; fewer in tests, where commands ask once for each
 */
export async function seedDemo(instance: Instance, members = 2500): Promise<void> {
  // A crash may lose an unfinished demo, so its commits need not wait for the disk.
  await instance.store.bulk(() => seed(instance, members));
}

async function seed(instance: Instance, members: number): Promise<void> {
  try {
    const demo = await openDemo(instance);
    await addPeople(demo, members);
    await addOrganization(demo);
    await addContent(demo);
    await addChangeRequests(demo);
    await addSites(demo);
    await addSettings(demo);
  } finally {
    setIdSource(undefined);
  }
}
