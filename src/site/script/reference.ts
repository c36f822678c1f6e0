import { startChoices } from './choices.ts';
import { startSamples, updateSamples } from './samples.ts';

/** What the pages of an API reference do with JavaScript. */
function start(): void {
  startSamples();
  startChoices(updateSamples);
  updateSamples(document, 'server');
}

start();
document.addEventListener('docs-content', start);
