import { areas, unreachable } from '../cases/areas.ts';
import { runCases } from '../cases/run.ts';
import { grounds } from '../support/service/praxis.ts';

runCases('MariaDB', { areas, unreachable, open: grounds.find(({ name }) => name === 'MariaDB')?.open });
