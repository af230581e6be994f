// What writes are compared with: everyday creates with all that is judged and kept, written by hand for these tables, on
// either database. Each is one transaction that reads what it can at once and answers from what it has read.
import { createAllocation, newAllocation } from './by-hand/allocations.ts';
import { createApp } from './by-hand/app.ts';
import { createExpenseItem, newExpenseItem } from './by-hand/expense-items.ts';
import { createInvoice, newInvoice } from './by-hand/invoices.ts';
import { createPayment, newPayment } from './by-hand/payments.ts';
import { createProjectMember, newProjectMember } from './by-hand/project-members.ts';
import { body, id } from './by-hand/records.ts';
import { openStore, type Session } from './by-hand/store.ts';
import { createTask, newTask } from './by-hand/tasks.ts';
import {
  createTimeEntry,
  newTimeEntry,
  type TimeEntryChanges,
  timeEntryChanges,
  updateTimeEntry,
} from './by-hand/time-entries.ts';

const { DATABASE_URL = '', PORT = '0' } = process.env;

const app = createApp();
const store = openStore(DATABASE_URL);

/** What a create takes has been checked against its schema by Fastify. */
function onCreate<Sent>(path: string, schema: object, create: (session: Session, sent: Sent) => Promise<object>): void {
  app.post<{ Body: Sent }>(`/api${path}`, { schema: { body: schema } }, (request) =>
    store.transact((session) => create(session, request.body as Sent)),
  );
}
onCreate('/time-entries', newTimeEntry, createTimeEntry);
onCreate('/expense-items', newExpenseItem, createExpenseItem);
onCreate('/allocations', newAllocation, createAllocation);
onCreate('/invoices', newInvoice, createInvoice);
onCreate('/payments', newPayment, createPayment);
onCreate('/project-members', newProjectMember, createProjectMember);
onCreate('/tasks', newTask, createTask);
app.patch<{ Params: { id: string }; Body: TimeEntryChanges }>(
  '/api/time-entries/:id',
  { schema: { params: { ...body(['id'], { id }) }, body: timeEntryChanges } },
  (request) => store.transact((session) => updateTimeEntry(session, request.params.id, request.body)),
);

app.get('/readyz', async () => {
  await store.isThere();
  return { status: 'ok' };
});

process.once('SIGTERM', async () => {
  await app.close();
  await store.close();
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
