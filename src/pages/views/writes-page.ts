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
<p class="lead">Three request headers that every write accepts, and one endpoint for several operations.</p>
<div class="beside"><article>
<section id="versions" aria-labelledby="versions-title"><h2 id="versions-title"><code>If-Match</code>: prevent lost updates</h2>
<p>A response with one record has an <code>ETag</code> header: the version of the record, and a digest of the response. Send it as <code>If-Match</code> with an update or a delete. If the record has another version by then, the response is <span class="status">412</span> <code class="answer">The record has changed since it was read.</code></p>
<p>The service compares only the version. An <code>ETag</code> stays valid if only the name of a referenced record changes. A get with <code>If-None-Match</code> returns <span class="status">304</span> if the response is unchanged.</p></section>
<section id="keys" aria-labelledby="keys-title"><h2 id="keys-title"><code>Idempotency-Key</code>: retry safely</h2>
<p>You can repeat a write with the same key (1 to 255 visible ASCII characters) within 24 hours. The service does not repeat the write; it returns the first response with <code>Idempotent-Replayed: true</code>. After an error, you can send the request again with the same key. The same key with a different request returns <span class="status">422</span>.</p></section>
<section id="trials" aria-labelledby="trials-title"><h2 id="trials-title"><code>Prefer: tx=rollback</code>: dry run</h2>
<p>The service runs the complete request, returns its response, and rolls everything back, including numbers of sequences. The response has <code>Preference-Applied: tx=rollback</code>; for a delete, it lists the records that would be deleted. The forms on these pages send this header unless you turn it off.</p></section>
<section id="batch" aria-labelledby="batch-title"><h2 id="batch-title">Batch requests</h2>
<p><span class="method">POST</span> <code>${base}${batchPath}</code> accepts up to 1,000 operations, including reads. Later operations can use the results of earlier ones: <code>{made.id}</code> in a path, <code>{"$from": "made.id"}</code> as a value. Either all operations succeed or none: if one fails, the response has its status and its error messages. With <code>"atomic": false</code>, each operation succeeds or fails separately.</p>
<div class="call" data-method="POST" data-path="${base}${batchPath}" data-list="" data-example="" data-ids="{}">
<div class="snippets"><div class="snippet" data-language="curl"><div class="head"><span>curl</span><button type="button" class="small" data-act="copy" hidden>Copy</button></div><pre tabindex="0" role="region" aria-label="curl"><code>curl -X POST '<span data-slot="origin">http://127.0.0.1:3000</span>${base}${batchPath}' \\
  -H "Authorization: Bearer $TOKEN"<span data-slot="headers"></span> \\
  -H 'Content-Type: application/json' \\
  -d '<span data-slot="body">${body}</span>'</code></pre></div></div>
<div class="send" hidden>
<div class="given">
<label>Request body<textarea name="body" rows="16" spellcheck="false" autocomplete="off">
${body}</textarea></label>
<details class="terms"><summary>Headers</summary><label>Idempotency-Key<span class="with"><input name="key" autocomplete="off" spellcheck="false" maxlength="255" placeholder="Unique key of this request"><button type="button" class="small" data-act="key">Generate</button></span></label></details>
<div class="act"><button type="button" class="main" data-act="send">Send as dry run</button><label class="switch"><input type="checkbox" name="trial" checked autocomplete="off"><span>Dry run (saves nothing)</span></label></div>
<p class="warning" role="status"></p>
</div>
<div class="got" role="region" aria-label="Response to your request" aria-live="polite"><p class="quiet">The response appears here.</p></div>
</div></div></section>
</article>
<nav class="toc" aria-label="On this page"><ul><li><a href="#versions">If-Match</a></li><li><a href="#keys">Idempotency-Key</a></li><li><a href="#trials">Dry run</a></li><li><a href="#batch">Batches</a></li></ul></nav></div>`;
  return frame(site, { title: 'Safe writes', place: 'writes', content, files: ['groups.css', 'calls.css', 'call.js'] });
}
