import type { CodeSample } from '../operation.ts';
import type { SampleRequest } from '../request.ts';
import { csharp } from './csharp.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';

/** The languages of samples. The only package that they need is Python's requests. */
export const sampleLanguages = [
  { title: 'curl', language: 'bash', write: curl },
  { title: 'JavaScript', language: 'javascript', write: javascript },
  { title: 'Python', language: 'python', write: python },
  { title: 'Go', language: 'go', write: go },
  { title: 'PHP', language: 'php', write: php },
  { title: 'Ruby', language: 'ruby', write: ruby },
  { title: 'Java', language: 'java', write: java },
  { title: 'C#', language: 'csharp', write: csharp },
] as const;

/** A request in each language. */
export const samplesOf = (request: SampleRequest): CodeSample[] =>
  sampleLanguages.map(({ title, language, write }) => ({ title, language, code: write(request) }));
