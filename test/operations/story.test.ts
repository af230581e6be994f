// A quarter of a consulting firm, from the deal that it wins to the last bill, as its people would send it. Whoever reads it can
// work out every figure: the arithmetic stands beside it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { digestOf } from '../support/databases/digest.ts';
import { verified } from '../support/databases/verify.ts';
import { onEveryDatabase } from '../support/service/praxis.ts';
import { openTheFirm, winTheDeal } from './story/deal.ts';
import { agreeOnTheProject, planTheTasks, planTheWork } from './story/engagement.ts';
import { workInEuros } from './story/euros.ts';
import { billJanuary, getPaid, workInFebruary } from './story/february.ts';
import { closeJanuary, handInJanuary, spendInJanuary, workInJanuary } from './story/january.ts';
import { drawTheAdvance, workInMarch } from './story/march.ts';
import { tellerOf } from './story/teller.ts';

onEveryDatabase(
  'a quarter of a firm',
  (context) => {
    let database: Database;
    beforeAll(async () => {
      database = await openDatabase(context.databaseUrl);
    });
    afterAll(() => database.close());
    const teller = tellerOf(context, () => digestOf(database, context.registry)());

    describe('the firm', () => openTheFirm(teller));
    describe('the deal', () => winTheDeal(teller));
    describe('the project', () => agreeOnTheProject(teller));
    describe('the team', () => planTheWork(teller));
    describe('the tasks', () => planTheTasks(teller));
    describe('the time of January', () => workInJanuary(teller));
    describe('the weeks of January', () => handInJanuary(teller));
    describe('the expenses of January', () => spendInJanuary(teller));
    describe('the end of January', () => closeJanuary(teller));
    describe('the bill', () => billJanuary(teller));
    describe('the payments', () => getPaid(teller));
    describe('February', () => workInFebruary(teller));
    describe('the advance', () => drawTheAdvance(teller));
    describe('a client abroad', () => workInEuros(context, teller));
    describe('March', () => workInMarch(context, teller));

    test('nothing that is kept differs from what its formula gives', async () => {
      expect(await verified(context, 'product')).toEqual([]);
    });
  },
  'product',
);
