// `praxis access`: who may do what, a table of roles × groups.
import { accessTable } from '../../access/proof/table.ts';
import { registryOf, rolesOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { columnLines } from '../output/table.ts';
import { type JsonFlag, paintOut, print, printJson } from '../output/terminal.ts';

const legend = 'C create, R get, U update, D delete, L list, H history; lower case: under a condition; -: not granted';

/** @throws DescriptorFaults; ConfigurationFault where there are no roles */
export function access(config: Config, { json = false }: JsonFlag): void {
  const registry = registryOf(config);
  const roles = rolesOf(config, registry);
  if (roles === undefined)
    throw new ConfigurationFault(
      'There are no roles, so every token may do everything; write roles with "praxis new access".',
    );
  const table = accessTable(roles, registry);
  const names = table.roles.map(({ name }) => name);
  if (json) {
    const rows = table.rows.map(({ group, cells }) => [
      group,
      Object.fromEntries(names.map((name, index) => [name, cells[index]])),
    ]);
    printJson(Object.fromEntries(rows));
    return;
  }
  const [heads = '', ...lines] = columnLines([
    ['', ...names],
    ...table.rows.map(({ group, cells }) => [group, ...cells]),
  ]);
  print([paintOut('bold', heads), ...lines, '', paintOut('dim', legend)].join('\n'));
}
