// Where the rules of a role are told: for a token that may read them.
import { type Html, html } from '../site/html.ts';

/** Says how to come to the rules, and holds those that are opened. @param opener What opens them: `cell`, `role` */
export const rulesDialog = (opener: string): Html =>
  html`<p class="quiet" data-told="no">To see the rules of each ${opener}, add an access token with the permission <code>access</code>. <button type="button" class="small" data-act="token" hidden>Add a token</button></p>
<p class="quiet" data-told="yes" hidden>Select a ${opener} to see its rules.</p>
<dialog class="rules" aria-label="Rules">
<div class="content" tabindex="-1" autofocus></div>
<div class="act"><button type="button" class="main" data-act="shut">Close</button></div>
</dialog>`;
