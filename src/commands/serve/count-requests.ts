import type { Instance } from '../../server/engine/instance.ts';

/** An instance that knows how many requests it is answering. */
export interface CountedInstance {
  instance: Instance;
  requests(): number;
}

export function countRequests(instance: Instance): CountedInstance {
  let requests = 0;
  const counted: Instance = {
    ...instance,
    // The address is known, and set, only when the service listens.
    get base() {
      return instance.base;
    },
    async handle(request) {
      requests += 1;
      try {
        return await instance.handle(request);
      } finally {
        requests -= 1;
      }
    },
  };
  return { instance: counted, requests: () => requests };
}
