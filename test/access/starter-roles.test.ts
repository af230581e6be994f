// The roles to begin with, as `praxis new access` writes them: who attests and approves time, and who cannot approve their own.
import { expect, test } from 'vitest';
import ofAdministrators from '../../.package/new-access/administrator.json' with { type: 'json' };
import ofManagers from '../../.package/new-access/manager.json' with { type: 'json' };
import ofMembers from '../../.package/new-access/member.json' with { type: 'json' };
import ofLeads from '../../.package/new-access/project-lead.json' with { type: 'json' };
import { isObject } from '../support/service/praxis.ts';
import { withRoles } from './callers.ts';

const roles = { administrator: ofAdministrators, manager: ofManagers, member: ofMembers, lead: ofLeads };

withRoles('the starter roles', { folder: 'product', roles }, (context) => {
  const week = { start: '2026-03-02', end: '2026-03-08' };
  const idOf = (value: unknown): string => (isObject(value) ? String(value['id']) : '');

  test('let a member submit and attest a timesheet that a manager then approves', async () => {
    const { make, as } = context;
    const statement = 'I have worked these hours.';
    await context.call('PATCH', '/workspace-settings', { timesheetAttestationStatement: statement });
    const [member, manager] = [(await make('member')).id, (await make('member')).id];
    await make('time-entry', { memberId: member, date: week.start });
    const own = as(member, 'member');
    expect((await own('GET', '/workspace-settings')).body).toMatchObject({ timesheetAttestationStatement: statement });
    const sheet = await own('POST', '/timesheets', { memberId: member, ...week });
    expect(sheet.body).toMatchObject({ statusId: 'pending_approval' });
    const path = `/timesheets/${idOf(sheet.body)}`;
    const approve = { statusId: 'approved' };
    const attestation = { timesheetId: idOf(sheet.body), isConfirmed: true };
    expect((await as(manager, 'manager')('PATCH', path, approve)).status).toBe(400);
    const attest = (call: typeof own) => call('POST', '/timesheet-attestations', attestation);
    // No role attests for another member, and no token without a member does.
    for (const role of ['manager', 'administrator'])
      expect((await attest(as(manager, role))).body).toMatchObject({
        errors: ["'timesheetId' must be a timesheet of the acting member"],
      });
    expect((await attest(as(manager, 'member'))).status).toBe(400);
    expect((await attest(as(null, 'manager'))).body).toMatchObject({
      status: 403,
      message: 'Only the member of a timesheet attests it.',
    });
    expect((await attest(own)).body).toMatchObject({ statement, isConfirmed: true, member: { id: member } });
    expect((await own('PATCH', path, approve)).status).toBe(403);
    expect((await as(manager, 'manager')('PATCH', path, approve)).body).toMatchObject(approve);
    expect((await own('GET', '/timesheet-attestations')).body).toMatchObject({ results: [{ statement }] });
  });

  test('keep a project lead from approving their own time', async () => {
    const { make, as } = context;
    const lead = (await make('member')).id;
    const entry = await make('time-entry', { memberId: lead, date: week.start });
    const project = `/projects/${idOf(entry['project'])}`;
    const [membership] = (
      (await context.call('GET', `/project-members?memberId=${lead}`)).body as { results: { id: string }[] }
    ).results;
    await context.call('PATCH', `/project-members/${membership?.id}`, { typeId: 'administrator' });
    const call = as(lead, 'member', 'lead');
    for (const body of [
      { timeApprovalMode: 'auto' },
      { expenseApprovalMode: 'auto' },
      { lockTimeAndExpenses: true },
      { recordStatusId: 'archived' },
    ])
      expect((await call('PATCH', project, body)).status, JSON.stringify(body)).toBe(403);
    expect((await call('PATCH', project, { notes: 'On track' })).status).toBe(200);
    const status = async (statusId: string) => call('PATCH', `/time-entries/${entry.id}`, { statusId });
    expect((await status('pending_approval')).body).toMatchObject({ statusId: 'pending_approval' });
    expect((await status('approved')).status).toBe(403);
  });
});
