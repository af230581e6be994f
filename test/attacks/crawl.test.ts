// A member of the firm, who leads a project, asks for every field of every group in every way that there is: what people cost stands in no
// answer.
import { expect, test } from 'vitest';
import ofMembers from '../../.package/new-access/member.json' with { type: 'json' };
import ofLeads from '../../.package/new-access/project-lead.json' with { type: 'json' };
import type { Resource } from '../../src/registry/model/model.ts';
import { withRoles } from '../access/callers.ts';
import { registryOf } from '../support/service/praxis.ts';

// Numbers that stand nowhere else: of an hour, what comes on top, and both together.
const costs = { costPerHour: 7391.37, overheadCostPerHour: 613.91 };
const secrets = /7391\.37|613\.91|8005\.28/;

const groups = [...registryOf('product').resources.values()];

/** All ways to ask for a field of a group. */
const waysTo = ({ path }: Resource, name: string): readonly string[] => [
  `${path}?fields=${name}&limit=3`,
  `${path}?expand=${name}&limit=3`,
  `${path}?sort=-${name}&limit=3`,
  `${path}?${name}AtLeast=1&limit=3`,
  `/summary${path}?by=${name}`,
  `/summary${path}?max=${name}`,
  `/export${path}?fields=${name}&format=csv`,
];

withRoles(
  'a member who asks for everything',
  { folder: 'product', roles: { member: ofMembers, lead: ofLeads }, parts: { changes: 90 } },
  (context) => {
    test('is told nowhere what people cost', async () => {
      const { make } = context;
      const [own, boss] = [(await make('member')).id, (await make('member')).id];
      for (const memberId of [own, boss])
        await make('cost-period', { memberId, start: '2020-01-01', costMethodId: 'hourly', ...costs });
      await make('time-entry', { memberId: own });
      const ofBoss = await make('time-entry', { memberId: boss });
      const { id: projectId } = ofBoss['project'] as { readonly id: string };
      await make('project-member', { projectId, memberId: own, typeId: 'administrator' });
      for (const { name, operations } of groups) if (operations.has('create')) await make(name).catch(() => undefined);
      const call = context.as(own, 'member', 'lead');
      const counts = new Map<number, number>();
      const ask = async (path: string) => {
        const answer = await call('GET', path);
        expect(answer.text, path).not.toMatch(secrets);
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        return answer;
      };
      for (const resource of groups) {
        const { path, fields, operations } = resource;
        if (!operations.has('list')) continue;
        const page = await ask(`${path}?limit=100&count=true`);
        // One refusal of the group stands for all others.
        if (page.status === 403) continue;
        for (const each of [`/export${path}`, `/export${path}?format=csv`, `/summary${path}`]) await ask(each);
        for (const { name } of fields) for (const each of waysTo(resource, name)) await ask(each);
        for (const { id } of (page.body as { readonly results: readonly { readonly id: string }[] }).results.slice(
          0,
          2,
        )) {
          for (const each of ['', '/access', '/history']) await ask(`${each}${path}/${id}`);
          for (const { name } of fields) await ask(`/explain${path}/${id}/${name}?depth=9`);
        }
      }
      // Each of them is really among the answers.
      for (const status of [200, 400, 403, 404]) expect(counts.get(status) ?? 0, `${status}`).toBeGreaterThan(20);
      expect((await context.call('GET', '/time-entries?limit=100')).text).toMatch(secrets);
    }, 600_000);
  },
);
