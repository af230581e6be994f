// The log of changes: who changed what, newest first, with a form. A script reads it, once there is a token.
import { entryCauses, entryOperations } from '../../endpoints/values/log-words.ts';
import { frame } from '../site/frame.ts';
import { type Content, type Html, html } from '../site/html.ts';
import { guideAddress } from '../site/manual.ts';
import { areasOf, base, groupAddress, type Site } from '../site/site.ts';

/** What follows from the writes of others is left out at first. */
const ofPeople = 'caller,undo,setup,repair,day';

/** The page of the log. */
export function changesPage(site: Site): Html {
  const content = html`
<h1>Changes</h1>
<p class="lead">Who changed which record, when and why, newest first. Programs can read the same entries as a feed, oldest first. See <a href="${guideAddress('history')}">History and changes</a>.</p>
<div class="changes" data-path="${base}/changes" data-groups="${JSON.stringify(recordPages(site))}">
<form class="wanted" hidden>
<label>Group<select name="group" autocomplete="off"><option value="">All groups</option>${groupOptions(site)}</select></label>
<label>Record<input name="id" autocomplete="off" spellcheck="false" placeholder="Id (select a group first)"></label>
<label>Operation<select name="operation" autocomplete="off"><option value="">Any</option>${options(entryOperations)}</select></label>
<label>Cause<select name="cause" autocomplete="off"><option value="${ofPeople}">Direct changes</option><option value="">Any</option>${options(entryCauses)}</select></label>
<label>Member<input name="member" autocomplete="off" spellcheck="false" placeholder="Member id"></label>
<label>Since<input name="since" type="datetime-local" step="1" autocomplete="off"></label>
<label>Until<input name="until" type="datetime-local" step="1" autocomplete="off"></label>
<div class="act"><button class="main">Show</button></div>
</form>
<p class="quiet">Add an access token to see the changes. <button type="button" class="small" data-act="token" hidden>Add a token</button></p>
<p class="said" role="status"></p>
<table class="stack" hidden>
<thead><tr><th scope="col">Time</th><th scope="col">Change</th><th scope="col">Fields</th><th scope="col">Changed by</th></tr></thead>
<tbody></tbody></table>
<p class="more" hidden><button type="button" data-act="older">Load older changes</button></p>
</div>`;
  return frame(site, {
    ...{ title: 'Changes', place: 'changes', content },
    files: ['tables.css', 'changes.css', 'changes.js'],
  });
}

const options = (words: readonly string[]): Content => words.map((word) => html`<option>${word}</option>`);

const groupOptions = ({ registry }: Site): Content =>
  areasOf(registry).map(([area, groups]) => {
    const logged = groups.filter(({ isLogged }) => isLogged);
    if (logged.length === 0) return undefined;
    const each = logged.map(({ name, title }) => html`<option value="${name}">${title}</option>`);
    return html`<optgroup label="${area}">${each}</optgroup>`;
  });

/** By the names of groups: what they are called, and the page on which one of their records is read. */
const recordPages = ({ registry }: Site): Readonly<Record<string, readonly [title: string, page: string]>> =>
  Object.fromEntries(
    [...registry.resources.values()]
      .filter(({ isLogged }) => isLogged)
      .map(({ name, title, operations }) => [name, [title, operations.has('get') ? `${groupAddress(name)}/get` : '']]),
  );
