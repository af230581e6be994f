// Notes of `praxis check` on conditions that writes of other groups can break.
import { expect, test, vi } from 'vitest';
import { check } from '../../src/commands/descriptors/check.ts';
import { readConfig } from '../../src/config.ts';
import { type Folder, folders } from '../support/service/praxis.ts';

async function listNotes(folder: Folder, options: Parameters<typeof check>[1] = {}): Promise<readonly string[]> {
  let stdout = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  try {
    await check(readConfig({ RESOURCES: folders[folder] }), options);
  } finally {
    write.mockRestore();
  }
  return stdout.split('\n').filter((line) => line.includes('evaluate'));
}

test('check --conditions notes each condition that writes of other groups can break', async () => {
  expect(await listNotes('hospital')).toEqual([]);
  expect(await listNotes('hospital', { conditions: true })).toEqual([
    `! stay.state "state != 'in' || ward.taken <= ward.beds": writes that change ward.beds do not evaluate this condition`,
  ]);
  const notes = await listNotes('conditions', { conditions: true });
  expect(notes).toContain(
    '! rental.extras.assetId "!asset.isRetired && assetId != record.assetId": writes that change asset.isRetired do not evaluate this condition',
  );
  // Conditions on deletes, on the previous record and on the record alone are not among them.
  expect(notes.filter((line) => /^! (damage|period|tariff)/.test(line))).toEqual([]);
});

test('check counts many such conditions, names the command that lists them, and has no finding', async () => {
  const all = await listNotes('product', { conditions: true });
  expect(await listNotes('product', { strict: false })).toEqual([
    `! ${all.length} conditions read fields of other groups, whose writes do not evaluate them; to list them: praxis check --conditions`,
  ]);
});
