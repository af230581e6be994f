// Formulas compare texts by code points, as lists sort them: in JavaScript, and in the SQL of each engine.
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { recordOf } from '../support/service/answers.ts';
import { onEveryDatabase } from '../support/service/praxis.ts';

/** Words in the order of their code points. The first UTF-16 unit of each emoji is below U+E000. */
const words = ['Z', 'a', 'a🙂', 'ä', '\u{d7ff}', '\ue000', '\uffee', 'ｚ', '𐀀', '🙁', '🙂', '🙂a'];
const inOrder = words.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

onEveryDatabase(
  'the order of texts',
  (context) => {
    test('is that of code points in comparisons, min, max and the rule sorted', async () => {
      const { id: drawerId } = await context.make('drawer');
      const keys = ['isBefore', 'isNotBefore', 'least', 'greatest', 'tags'];
      const wrong: string[] = [];
      for (const [place, name] of inOrder.entries())
        for (const [otherPlace, other] of inOrder.entries()) {
          if ((place + otherPlace) % 2 === 0 && place !== otherPlace) continue;
          const body = { name, other, drawerId, tags: [...new Set([name, other])] };
          const { id } = recordOf(await context.call('POST', '/words', body));
          const record = recordOf(await context.call('GET', `/words/${id}`));
          const [least, greatest] = place < otherPlace ? [name, other] : [other, name];
          const isBefore = place < otherPlace;
          const tags = [...new Set([least, greatest])];
          const wanted = JSON.stringify([isBefore, !isBefore, least, greatest, tags]);
          const found = JSON.stringify(keys.map((key) => record[key]));
          if (found !== wanted) wrong.push(`${JSON.stringify([name, other])} gives ${found}, not ${wanted}`);
        }
      expect(wrong).toEqual([]);
    });

    test('is that of code points over the records of a group, and that of a sorted list', async () => {
      const { id: drawerId } = await context.make('drawer', { upTo: '\uffee' });
      for (const name of inOrder.toReversed())
        recordOf(await context.call('POST', '/words', { name, other: `${name}!`, drawerId }));
      const drawer = recordOf(await context.call('GET', `/drawers/${drawerId}`));
      const limit = inOrder.indexOf('\uffee');
      expect(drawer).toMatchObject({
        first: inOrder[0],
        last: inOrder.at(-1),
        lastOther: `${inOrder.at(-1)}!`,
        inOrder: inOrder.join(' '),
        early: limit,
        earlyNow: limit + 1,
      });
      expect(await verified(context, 'alphabet')).toEqual([]);
    });
  },
  'alphabet',
);
