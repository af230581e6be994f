import { test, expect } from 'vitest';
import { writeFileSync } from 'node:fs';
import { startEach, type Context } from './support/praxis.ts';
const U = '01890a5d-ac96-774b-bcce-b302099a8057';
const raw = ['null', '""', '" "', '0', '-0', '-1', '1', '1.5', '0.5', '2', '1e15', '1e999', '0.000001', '0.33333333', '99999999999999', '99999999999.9999', '"x"', '"a-b"', JSON.stringify('é'.repeat(255)), JSON.stringify('x'.repeat(6000)), 'true', 'false', '[]', '{}', '[null]', '[[]]', '[{}]', `["${U}"]`, `"${U}"`, '"2024-02-29"', '"9999-12-31"', '"1000-01-01"', '"USD"', '"JPY"', '"UTC"', '"a@b.c"', '[1,2]', '[8,8,8,8,8,0,0]', '["a@b.c"]', '["2024-01-01","2023-01-01"]', '{"billableHours":5}', '{"servicesRevenue":5.5}', '{"billableHours":null}'];
let seed = Number(process.env.SEED ?? 1);
const rnd = (n: number) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return Math.floor((seed / 0x7fffffff) * n) % n; };
const norm = (t: string) => t.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, 'ID').replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replace(/\d+/g, 'N');
test('fuzz', { timeout: 3_000_000 }, async () => {
  const { services, stop } = await startEach('product');
  const out: string[] = [];
  const [a] = services as [Context, Context];
  let sent = 0;
  for (const resource of a.registry.resources.values()) {
    if (resource.name === 'workspace-settings') continue;
    const keys = resource.fields.map((f) => f.key);
    const valuesOf = (key: string): string[] => {
      const f = resource.byKey.get(key) as any;
      const own = f?.kind === 'enum' ? f.values.map((v: string) => JSON.stringify(v)) : f?.kind === 'boolean' ? ['true', 'false', 'null'] : [];
      return [...raw, '@', '@', '@', '@', '@', '@', '@', '@', '@', '@', ...own, ...own, ...own, ...own, ...own];
    };
    const plans: { mode: string; sets: [string, string][] }[] = [];
    if (!process.env.N) for (const key of keys) for (const v of new Set(valuesOf(key))) { plans.push({ mode: 'PATCH', sets: [[key, v]] }); }
    if (!process.env.N) for (const key of keys) for (const v of new Set(valuesOf(key))) if (rnd(3) === 0) plans.push({ mode: 'POST', sets: [[key, v]] });
    for (let i = 0; i < Number(process.env.N ?? 150); i++) { const sets: [string, string][] = []; for (let k = 0; k < 1 + rnd(4); k++) { const key = keys[rnd(keys.length)]!; const vs = valuesOf(key); sets.push([key, vs[rnd(vs.length)]!]); } plans.push({ mode: rnd(2) ? 'POST' : 'PATCH', sets }); }
    const records = await Promise.all(services.map((s) => s.make(resource.name, {}, 'all')));
    const bodies = await Promise.all(services.map((s) => s.bodyOf(resource.name, {}, 'all')));
    // names unique per time
    for (const plan of plans) {
      const answers = [];
      for (const [i, s] of services.entries()) {
        let body: string; const vv = (k: string, v: string) => v === '@' ? (JSON.stringify((bodies[i] as any)[k]) ?? 'null') : v;
        if (plan.mode === 'POST') { const b: any = { ...bodies[i] }; const parts: string[] = []; for (const [k, v] of Object.entries(b)) if (!plan.sets.some(([x]) => x === k)) parts.push(`${JSON.stringify(k)}:${JSON.stringify(v)}`); for (const [k, v] of new Map(plan.sets)) parts.push(`${JSON.stringify(k)}:${vv(k, v)}`); body = `{${parts.join()}}`; }
        else body = `{${[...new Map(plan.sets)].map(([k, v]) => `${JSON.stringify(k)}:${vv(k, v)}`).join()}}`;
        let ans: any;
        try { ans = await s.call(plan.mode, plan.mode === 'POST' ? resource.path : `${resource.path}/${records[i]!.id}`, body, { allow5xx: true }); } catch (e) { ans = { status: 999, text: String(e).slice(0, 600) }; }
        sent++;
        if (ans.status >= 500) out.push(`${i} ${plan.mode} ${resource.path} ${body.slice(0, 400)} → ${ans.status} ${ans.text.slice(0, 400)}`);
        answers.push(ans);
        if (ans.status === 200 && plan.mode === 'POST') { const r: any = ans.body; try { await s.call('DELETE', `${resource.path}/${r.id}`); } catch {} }
        if (ans.status === 200 && plan.mode === 'PATCH') { const g = await s.call('GET', `${resource.path}/${records[i]!.id}`); if (g.text !== ans.text) out.push(`GETDIFF ${i} ${resource.path} ${body.slice(0, 300)}\n   ${ans.text.slice(0, 1500)}\n   ${g.text.slice(0, 1500)}`); }
      }
      const [x, y] = answers as any[];
      if (y && (x.status !== y.status || norm(x.text) !== norm(y.text))) out.push(`DIFF ${plan.mode} ${resource.path} ${JSON.stringify(plan.sets).slice(0, 300)}\n   ${x.status} ${x.text.slice(0, 1000)}\n   ${y.status} ${y.text.slice(0, 1000)}`);
    }
  }
  await stop();
  writeFileSync('/tmp/apitest/fuzz2.out', out.join('\n'));
  console.log(sent, 'sent', out.length, 'findings');
  expect(1).toBe(1);
});
