import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What lies between the service and its database. It can break when the database has done a request, but not answered it. */
export class Network {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #losesNextCommit = false;

  private constructor(target: number) {
    this.#server = createServer((socket) => {
      const database = connect(target, '127.0.0.1');
      let losesAnswer = false;
      socket.on('data', (chunk) => {
        if (!this.#losesNextCommit || !/\bcommit\b/i.test(String(chunk))) return;
        this.#losesNextCommit = false;
        losesAnswer = true;
      });
      for (const [one, other] of [
        [socket, database],
        [database, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on('data', (chunk) => (one === database && losesAnswer ? socket.destroy() : other.write(chunk)));
        one.on('error', () => {});
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  static async open(target: number): Promise<Network> {
    const network = new Network(target);
    await new Promise<void>((resolve) => network.#server.listen(0, '127.0.0.1', resolve));
    return network;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks all connections. What the database has got, it still does. */
  break(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends the connection of the next commit after the database has done it, and before the service knows. */
  loseNextCommit(): void {
    this.#losesNextCommit = true;
  }

  close(): void {
    this.#server.close();
    this.break();
  }
}
