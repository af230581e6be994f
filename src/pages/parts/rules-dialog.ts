// Where the rules of a role are told: for a token that may read them.
import { type Html, html } from '../site/html.ts';

/** Says how to come to the rules, and holds those that are opened. @param opener What opens them: `cell`, `role` */
export const rulesDialog = (opener: string): Html =>
  html`<p class="quiet" data-told="no">With an access token that may ask for others (<code>access</code>), each ${opener} opens the rules behind it. <button type="button" class="small" data-act="token" hidden>Give a token</button></p>
<p class="quiet" data-told="yes" hidden>Each ${opener} opens the rules behind it.</p>
<dialog class="rules" aria-label="Rules">
<div class="content" tabindex="-1" autofocus></div>
<div class="act"><button type="button" class="main" data-act="shut">Close</button></div>
</dialog>`;
