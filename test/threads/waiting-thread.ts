import { answerTasks } from '../../src/threads/answer-tasks.ts';

/** Tasks that take time on the clock only, or processor time, too. */
export const waitingTasks = {
  wait: async (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, 'waited')),

  async compute(ms: number): Promise<string> {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return 'computed';
  },

  async inSteps(steps: number, onStep: (step: string) => void): Promise<string> {
    for (let step = 0; step < steps; step += 1) {
      onStep(String(step));
      const end = performance.now() + 150;
      while (performance.now() < end);
    }
    return 'all steps';
  },
};

answerTasks(waitingTasks);
