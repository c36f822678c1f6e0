import { createServer } from 'node:http';

/**
 * A service that answers with pages made beforehand: the same bytes for everybody who asks. `few` is an organization of
 * 100 pages, `many` one of 1,000; GitHub's command line follows the Link header.
 *
 * @param {Buffer[]} bodies the items of pages, without their brackets
 */
export async function servePages(bodies, size, socket) {
  const totals = { few: 100, many: 1000 };
  const answer = (request, response) => {
    const url = new URL(request.url, 'http://bench');
    const total = totals[url.pathname.split('/')[3]];
    if (total === undefined) return void response.writeHead(404).end();
    const page = Number(url.searchParams.get('page') ?? 1);
    const next = page < total ? { page: String(page + 1) } : undefined;
    const start = Buffer.from(`{${next ? `"next":${JSON.stringify(next)},` : ''}"count":${total * size},"items":[`);
    const body = Buffer.concat([start, bodies[page % bodies.length], Buffer.from(']}')]);
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      ...(next
        ? { link: `<http://${request.headers.host}${url.pathname}?limit=${size}&page=${page + 1}>; rel="next"` }
        : {}),
    });
    response.end(body);
  };
  const listen = (...where) =>
    new Promise((resolve) => {
      const server = createServer(answer).listen(...where, () => resolve(server));
    });
  const [tcp] = await Promise.all([listen(0, '127.0.0.1'), listen(socket)]);
  return `http://127.0.0.1:${tcp.address().port}`;
}

/** In a process of its own, so that what it does is not counted with those who ask. */
if (process.argv[2] === 'serve') {
  const { readFile } = await import('node:fs/promises');
  const bodies = JSON.parse(await readFile(process.argv[3], 'utf8')).map((text) => Buffer.from(text));
  process.stdout.write(`${await servePages(bodies, 1000, process.argv[4])}\n`);
}
