import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What lies between the service and its database. It can break when the database has got a request, but not answered it. */
export class Network {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: number) {
    this.#server = createServer((socket) => {
      const database = connect(target, '127.0.0.1');
      for (const [one, other] of [
        [socket, database],
        [database, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on('data', (chunk) => other.write(chunk));
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

  close(): void {
    this.#server.close();
    this.break();
  }
}
