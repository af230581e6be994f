// Safe writes: versions, idempotency keys, trials; and a batch to try.
import { batchExample, batchPath } from '../../endpoints/document/batch.ts';
import { frame } from '../site/frame.ts';
import { type Html, html } from '../site/html.ts';
import { base, type Site } from '../site/site.ts';

/** The page of the headers and of batches. */
export function writesPage(site: Site): Html {
  const body = JSON.stringify(batchExample([...site.registry.resources.values()]), null, 2);
  const content = html`
<h1>Safe writes and batches</h1>
<p class="lead">Three headers, which every write takes, and one address for several operations.</p>
<div class="beside"><article>
<section id="versions" aria-labelledby="versions-title"><h2 id="versions-title"><code>If-Match</code>: nobody overwrites what they have not seen</h2>
<p>An answer with one record has an <code>ETag</code>: its version, and a digest of what it shows. An update or a delete with that tag in <code>If-Match</code> is done only while the record still has this version; else the answer is <span class="status">412</span> <code class="answer">The record has changed since it was read.</code></p>
<p>Only versions are compared: a tag stays good while no more than the name of a referred record changes. <code>If-None-Match</code> on a get answers <span class="status">304</span> to who has the record already.</p></section>
<section id="keys" aria-labelledby="keys-title"><h2 id="keys-title"><code>Idempotency-Key</code>: nothing is done twice</h2>
<p>A write with a key (1 to 255 visible ASCII characters) can be sent again within 24 hours: it is answered as the first time, with <code>Idempotent-Replayed: true</code>. What was refused may be tried again under the same key. The same key for another request is <span class="status">422</span>.</p></section>
<section id="trials" aria-labelledby="trials-title"><h2 id="trials-title"><code>Prefer: tx=rollback</code>: try without doing</h2>
<p>Everything is done and answered as it would be, and then taken back: no row, no number of a sequence stays. The answer has <code>Preference-Applied: tx=rollback</code>; that of a delete says what would go. Forms on these pages send it until they are told otherwise.</p></section>
<section id="batch" aria-labelledby="batch-title"><h2 id="batch-title">Several as one</h2>
<p><span class="method">POST</span> <code>${base}${batchPath}</code> takes up to 1,000 operations, reads too; later ones may use what earlier ones have answered: <code>{made.id}</code> in a path, <code>{"$from": "made.id"}</code> in place of a value. All are done or none: where one is refused, the answer has its status and its texts. With <code>"atomic": false</code> each stands for itself.</p>
<div class="call" data-method="POST" data-path="${base}${batchPath}" data-list="" data-example="" data-ids="{}">
<div class="snippets"><div class="snippet" data-language="curl"><div class="head"><span>curl</span><button type="button" class="small" data-act="copy" hidden>Copy</button></div><pre tabindex="0" role="region" aria-label="curl"><code>curl -X POST '<span data-slot="origin">http://127.0.0.1:3000</span>${base}${batchPath}' \\
  -H "Authorization: Bearer $TOKEN"<span data-slot="headers"></span> \\
  -H 'Content-Type: application/json' \\
  -d '<span data-slot="body">${body}</span>'</code></pre></div></div>
<div class="send" hidden>
<div class="given">
<label>Body<textarea name="body" rows="16" spellcheck="false" autocomplete="off">
${body}</textarea></label>
<details class="terms"><summary>Headers</summary><label>Idempotency-Key<span class="with"><input name="key" autocomplete="off" spellcheck="false" maxlength="255" placeholder="what the request is known by"><button type="button" class="small" data-act="key">A new one</button></span></label></details>
<div class="act"><button type="button" class="main" data-act="send">Try</button><label class="switch"><input type="checkbox" name="trial" checked autocomplete="off"><span>Try without doing</span></label></div>
<p class="warning" role="status"></p>
</div>
<div class="got" role="region" aria-label="What came back" aria-live="polite"><p class="quiet">The answer comes here.</p></div>
</div></div></section>
</article>
<nav class="toc" aria-label="On this page"><ul><li><a href="#versions">If-Match</a></li><li><a href="#keys">Idempotency-Key</a></li><li><a href="#trials">Try without doing</a></li><li><a href="#batch">Batches</a></li></ul></nav></div>`;
  return frame(site, { title: 'Safe writes', place: 'writes', content, files: ['groups.css', 'calls.css', 'call.js'] });
}
