import { areas, unreachable } from '../cases/areas.ts';
import { runCases } from '../cases/run.ts';
import { grounds } from '../support/service/praxis.ts';

runCases('MySQL', { areas, unreachable, open: grounds.find(({ name }) => name === 'MySQL')?.open });
