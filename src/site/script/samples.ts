import { sampleLanguages } from '../../openapi/reference/samples/index.ts';
import type { SampleRequest } from '../../openapi/reference/request.ts';
import type { SampleData } from '../reference/sample-data.ts';
import { chosenIn } from './choices.ts';
import { colored } from './color-code.ts';
import { readStored, store } from './storage.ts';
import { element } from './texts.ts';

/** The request in the language that readers choose, for the server, the content type and the variant that they choose. */
export function startSamples(): void {
  for (const samples of document.querySelectorAll<HTMLElement>('.api-samples:not(.ready)')) {
    samples.classList.add('ready');
    addLanguages(samples);
  }
}

/** Rewrites the samples in a part of the page and, after the choice of a variant, the body of its form. */
export function updateSamples(scope: ParentNode, kind: string): void {
  for (const samples of scope.querySelectorAll<HTMLElement>('.api-samples')) {
    showSample(samples);
    if (kind.startsWith('body-')) fillBody(samples);
  }
}

const ownSamples = (samples: HTMLElement): HTMLElement[] => [
  ...samples.querySelectorAll<HTMLElement>('.api-sample[data-title]'),
];

function addLanguages(samples: HTMLElement): void {
  const own = ownSamples(samples).map(({ dataset }) => dataset.title ?? '');
  const names = new Set(own.map((title) => title.toLowerCase()));
  const written = sampleLanguages.map(({ title }) => title).filter((title) => !names.has(title.toLowerCase()));
  const select = element(
    'select',
    { class: 'api-language', 'aria-label': 'Language' },
    [...own, ...written].map((title) => element('option', { value: title }, [title])),
  );
  const stored = readStored('docs-language');
  if (stored !== undefined && [...own, ...written].includes(stored)) select.value = stored;
  select.addEventListener('change', () => {
    store('docs-language', select.value);
    for (const other of document.querySelectorAll<HTMLElement>('.api-samples')) {
      const choice = other.querySelector<HTMLSelectElement>('.api-language');
      if (choice && [...choice.options].some(({ value }) => value === select.value)) choice.value = select.value;
      showSample(other);
    }
  });
  samples.prepend(select);
  showSample(samples);
}

function showSample(samples: HTMLElement): void {
  const { value: title = '' } = samples.querySelector<HTMLSelectElement>('.api-language') ?? {};
  const language = sampleLanguages.find((each) => each.title === title);
  const own = ownSamples(samples).find(({ dataset }) => dataset.title === title);
  for (const sample of samples.querySelectorAll<HTMLElement>('.api-sample')) sample.hidden = sample !== own;
  const written = samples.querySelector<HTMLElement>('.api-sample[data-written]');
  if (own || !language || !written) return;
  written.hidden = false;
  const code = written.querySelector('code');
  if (!code) return;
  code.className = `language-${language.language}`;
  const request = requestOf(samples);
  code.replaceChildren(...(request ? colored(language.write(request)) : ['The example is too long to show it here.']));
  const block = written.querySelector<HTMLElement>('.code');
  if (block) delete block.dataset.language;
}

const dataOf = (samples: HTMLElement): SampleData => JSON.parse(samples.dataset.request ?? '');

type Chosen = { headers: SampleRequest['headers']; body: SampleRequest['body'] } | 'too-long' | undefined;

/** The content that readers chose; undefined if there is nothing to choose. */
function chosenContent({ contents }: SampleData, operation: ParentNode): Chosen {
  const index = chosenIn(operation, 'body');
  const variant = chosenIn(operation, `body-${index}`);
  const { headers = [], bodies = [] } = contents[index] ?? {};
  if (index === 0 && variant === 0 && (bodies.length === 0 || bodies[0] === 'too-long')) return undefined;
  const body = bodies.length > variant ? bodies[variant] : 'too-long';
  return body === 'too-long' ? body : { headers, body: body ?? undefined };
}

/** The request of what readers chose; undefined if its body is too long. */
function requestOf(samples: HTMLElement): SampleRequest | undefined {
  const data = dataOf(samples);
  const { base, request } = data;
  const operation = samples.closest('.api-operation') ?? document;
  const content = chosenContent(data, operation);
  if (content === 'too-long') return undefined;
  const server = operation.querySelector<HTMLSelectElement>('select[data-choice="server"]');
  const filled = server?.selectedOptions[0]?.dataset.filled;
  const url =
    filled !== undefined && request.url.startsWith(base) ? filled + request.url.slice(base.length) : request.url;
  return { ...request, url, ...content };
}

/** The forms of an operation get the body of the chosen variant. */
function fillBody(samples: HTMLElement): void {
  const operation = samples.closest('.api-operation');
  if (!operation) return;
  const index = chosenIn(operation, 'body');
  const content = chosenContent(dataOf(samples), operation);
  const body = content === 'too-long' ? undefined : content?.body;
  const field = operation.querySelector<HTMLTextAreaElement>(
    `.api-try [data-group="body"][data-index="${index}"] textarea[data-in="body"]`,
  );
  if (!field || !content || body?.kind === 'form') return;
  if (!body) field.value = '';
  else field.value = body.kind === 'json' ? JSON.stringify(body.value, null, 2) : body.value;
}
