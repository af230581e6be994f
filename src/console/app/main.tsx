// The console in the browser. A view of the records of a group (a board, a timeline, …) is added in `views/views.ts`: a row
// with the shape of groups that it fits and the `import()` that loads it when it is first shown. What a place shows is
// decided in `shell.tsx`; a group's page is `group-page.tsx`, a record's `record/record-page.tsx`. All that is known of the
// groups comes from `model.ts`, all records from `api.ts`, values are written by `value.tsx` and `format.ts`.
import { render } from 'preact';
import { loadGroups } from './model.ts';
import { App, Broken } from './shell.tsx';

const root = document.getElementById('app');
if (root === null) throw new Error('there is no place for the console');

try {
  await loadGroups();
  render(<App />, root);
} catch (error) {
  render(<Broken error={error} />, root);
}
