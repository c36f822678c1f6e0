import { day, type Demo, hour, memberId } from './calls.ts';
import { handbook, textOf } from './texts.ts';

const space = '/v1/spaces/handbook0001';
const requests = `${space}/change-requests`;
const [ada, bjorn, chiara] = [memberId(1), memberId(4), memberId(5)];

const update = (page: string, markdown: string) => ({
  changes: [{ operation: 'update_page', page, document: { markdown } }],
});

export async function addChangeRequests(demo: Demo) {
  await createRequests(demo);
  await mergeAlarm(demo);
  await editPump(demo);
  await editValve(demo);
  await addComments(demo);
}

async function createRequests({ call }: Demo) {
  await call('POST', requests, {
    ids: ['pumpchange01'],
    body: { subject: 'Explain the new pump' },
    as: ada,
    ago: 9 * day,
  });
  await call('POST', requests, {
    ids: ['typochange01'],
    body: { subject: 'Mend typing errors' },
    as: bjorn,
    ago: 8 * day,
  });
  await call('POST', requests, {
    ids: ['alarmchange1'],
    body: { subject: 'List the alarm lights' },
    as: chiara,
    ago: 7 * day,
  });
  await call('POST', requests, { ids: ['valvechange1'], body: { subject: 'Name the valve' }, as: ada, ago: 7 * day });
}

async function mergeAlarm({ call }: Demo) {
  const trouble = handbook.find(({ id }) => id === 'trouble00001');
  if (!trouble) throw new Error('The handbook of the demo has no page trouble00001.');
  await call('POST', `${requests}/alarmchange1/content`, {
    body: update('trouble00001', `${textOf(trouble)}\nA blue light means that everything works.\n`),
    as: chiara,
    ago: 6 * day,
  });
  await call('PATCH', `${requests}/alarmchange1`, { body: { status: 'open' }, as: chiara, ago: 6 * day });
  await call('POST', `${requests}/alarmchange1/merge`, { ago: 5 * day });
}

async function editPump({ call }: Demo) {
  await call('POST', `${requests}/pumpchange01/content`, {
    ids: ['newpump00001'],
    as: ada,
    ago: 4 * day,
    body: {
      changes: [
        {
          operation: 'insert_page',
          title: 'The new pump',
          document: { markdown: 'The new pump is quiet, and it is blue.\n' },
        },
        {
          operation: 'update_page',
          page: 'firstrun0001',
          document: { markdown: 'Open the inlet valve, wait for the light, then start the pump.\n' },
        },
      ],
    },
  });
  await call('PATCH', `${requests}/pumpchange01`, { body: { status: 'open' }, as: ada, ago: 4 * day });
}

/** A request with a conflict: both sides name the valve differently. */
async function editValve({ call }: Demo) {
  await call('POST', `${requests}/valvechange1/content`, {
    body: update('filter000001', 'Close valve A. Turn the cover to the left.\n'),
    as: ada,
    ago: 4 * day,
  });
  await call('PATCH', `${requests}/valvechange1`, { body: { status: 'open' }, as: ada, ago: 4 * day });
  await call('POST', `${space}/content`, {
    body: update('filter000001', 'Close valve B. Turn the cover to the left.\n'),
    ago: 3 * day,
  });
}

async function addComments({ call }: Demo) {
  await call('POST', `${space}/comments`, {
    ids: ['comment00001'],
    body: { page: 'install00001', body: { markdown: 'Which valve is meant?' } },
    as: bjorn,
    ago: 3 * day,
  });
  await call('POST', `${space}/comments/comment00001/replies`, {
    ids: ['reply0000001'],
    body: { body: { markdown: 'The **inlet** valve.' } },
    as: chiara,
    ago: 3 * day - hour,
  });
  await call('PUT', `${space}/comments/comment00001`, { body: { addedReactions: ['👍'] }, as: ada, ago: 2 * day });
  await call('POST', `${space}/comments`, {
    ids: ['comment00002'],
    body: { body: { markdown: 'The handbook needs an index.' } },
    as: ada,
    ago: 2 * day,
  });
  await call('PUT', `${space}/comments/comment00002`, { body: { resolved: true }, ago: day });
  await call('POST', `${requests}/pumpchange01/comments`, {
    ids: ['comment00003'],
    body: { page: 'firstrun0001', body: { markdown: 'Which light?' } },
    as: chiara,
    ago: day,
  });
  await call('POST', `${requests}/pumpchange01/comments/comment00003/replies`, {
    ids: ['reply0000002'],
    body: { body: { markdown: 'The green one.' } },
    as: ada,
    ago: day - hour,
  });
}
