// The console in the browser. To add a view of the records of a group (a board, a timeline, …), add a row to
// `views/views.ts`: the shape of groups it fits, and the `import()` that loads it when it is first shown. `shell.tsx`
// decides what each address shows: `group-page.tsx`, `record/record-page.tsx`, `home/home.tsx`. The model of the groups
// comes from `service/model.ts`, records from `service/api.ts`, values are formatted by `values/`.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { unreachable } from '../../unreachable.ts';
import { expectNews } from './service/follow.ts';
import { grantedTo, loadAccess, loadGroups } from './service/model.ts';
import { token } from './service/session.ts';
import { App, Broken } from './shell.tsx';

const root = document.getElementById('app');
if (root === null) unreachable('there is no place for the console');

effect(() => void loadAccess(token.value));
try {
  await loadGroups();
  effect(() => {
    if (grantedTo.value !== undefined) expectNews();
  });
  render(<App />, root);
} catch (error) {
  render(<Broken error={error} />, root);
}
