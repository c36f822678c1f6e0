import { html } from '../site/html.ts';
import { signOutPath } from './addresses.ts';
import { form } from './forms.ts';
import { draw } from './frame.ts';
import type { AppResponse } from './port.ts';
import type { Visit } from './visit.ts';

export const signOutPage = (visit: Visit): AppResponse =>
  draw(
    { root: visit.root, title: 'docsctl', home: `${visit.root}/` },
    {
      kind: 'gate',
      title: 'Sign out',
      html: html`<p>This ends the session of this browser.</p>
        ${form(visit, signOutPath, html`<button class="button button-primary">Sign out</button>`)}`,
    },
  );
