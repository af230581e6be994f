// Rules of the catalogue over kinds of fields that the groups of the product do not give them.
import { expect, test } from 'vitest';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const message = 'There was a problem processing your request. See errors for more details.';
const overlap = { status: 409, message: 'A Stay with overlapping dates already exists.' };

onEveryDatabase(
  'rules',
  (context) => {
    const post = async (path: string, body: Json): Promise<unknown> => (await context.call('POST', path, body)).body;
    const bill = (body: Json): Promise<unknown> => post('/bills', body);

    test('a product takes integers for what they are', async () => {
      expect(await bill({ days: 5, dayRate: 120 })).toMatchObject({ price: 600, fee: 600 });
      expect(await bill({ days: 3, dayRate: 0.335 })).toMatchObject({ price: 1.01 });
      expect(await bill({ days: null, dayRate: 120 })).toMatchObject({ price: null });
    });

    test('a figure with a condition is accepted as long as it is right, and typed in elsewhere', async () => {
      const made = { days: 5, dayRate: 120 };
      expect(await bill({ ...made, fee: 600 })).toMatchObject({ fee: 600 });
      expect(await bill({ ...made, fee: 601 })).toEqual({ status: 400, message, errors: ["'fee' must be 600"] });
      expect(await bill({ days: null, dayRate: 120, fee: 7 })).toMatchObject({ fee: 7 });
    });

    test('a condition on each record of a list of references answers with its place', async () => {
      const made = async (path: string, body: Json): Promise<string> => String(Object(await post(path, body)).id);
      const [north, south] = [await made('/rooms', { name: 'North' }), await made('/rooms', { name: 'South' })];
      const stay = (roomId: string) => made('/stays', { roomId });
      const [first, other, last] = [
        await made('/stays', { roomId: north, from: '2026-01-01', to: '2026-01-31' }),
        await stay(south),
        await made('/stays', { roomId: north, from: '2026-02-01', to: '2026-02-28' }),
      ];
      const refused = (...errors: string[]) => ({ status: 400, message, errors });
      const party = (body: Json) => post('/parties', body);
      expect(await party({ roomId: north, note: null, stayIds: [first, other], size: 1 })).toEqual(
        // Of a place one thing is told.
        refused("'stayIds[1]' must be in North"),
      );
      const { id } = Object(await party({ roomId: north, note: null, stayIds: [first, last] }));
      const change = async (body: Json) => (await context.call('PATCH', `/parties/${id}`, body)).body;
      // Judged where the list changes, the other one at each write.
      expect(await change({ roomId: south, note: null })).toMatchObject({ room: { name: 'South' } });
      expect(await change({ stayIds: [last, first, other] })).toEqual(
        refused("'stayIds[0]' must be in South", "'stayIds[1]' must be in South"),
      );
      expect(await change({ size: 0 })).toEqual(
        refused("'stayIds[0]' is one of too many", "'stayIds[1]' is one of too many"),
      );
      // Nothing is said of a record that there is not, and a conflict is about the record that is named.
      const none = '01900000-0000-7000-8000-000000000000';
      expect(await party({ stayIds: [none] })).toEqual(refused("'stayIds[0]' does not refer to an existing Stay"));
      expect(await party({ stayIds: [other, last] })).toEqual({
        status: 409,
        message: 'The Stay is in use and cannot be deleted.',
      });
    });

    test('a condition tells null that is sent from what is left out', async () => {
      const { id: roomId } = Object(await post('/rooms', { name: 'East' }));
      const refused = { status: 400, message, errors: ["'note' must be sent with a room, if only as null"] };
      expect(await post('/parties', { roomId })).toEqual(refused);
      const { id } = Object(await post('/parties', { roomId, note: null }));
      const change = async (body: Json) => (await context.call('PATCH', `/parties/${id}`, body)).body;
      expect(await change({ roomId })).toEqual(refused);
      expect(await change({ size: 5 })).toMatchObject({ note: null, size: 5 });
      expect(await change({ roomId, note: null })).toMatchObject({ note: null });
    });

    test('a product and a sum may be 0, the least that an integer of no sign can be', async () => {
      expect(await bill({ days: 0, share: 1, budget: { small: 0, large: 0 } })).toMatchObject({
        paidDays: 0,
        budget: { things: 0 },
      });
    });

    test('a product is rounded as its field is', async () => {
      expect(await bill({ days: 5, share: 0.25 })).toMatchObject({ paidDays: 1, exact: 1.3 });
      expect(await bill({ days: 9007199254740991, share: 1 })).toEqual({
        status: 400,
        message,
        errors: [
          "'total' must be a number with at most 15 digits",
          "'exact' must be a number with at most 10 digits",
          "'time' must be from -9007199254740991 to 9007199254740991",
          "'whole' must be a number with at most 15 digits",
        ],
      });
    });

    test('a sum takes integers and decimals, into a field of either kind', async () => {
      expect(await bill({ days: 5, nights: 4, dayRate: 0.1 })).toMatchObject({ time: 9, whole: 9.1 });
      expect(await bill({ nights: -4 })).toMatchObject({ time: -4, whole: -4 });
      expect(await bill({ budget: { small: 2, large: 3 } })).toMatchObject({ budget: { things: 5 } });
    });

    test('a sum takes what is computed too, though it stands behind it', async () => {
      expect(await bill({ days: 5, dayRate: 120 })).toMatchObject({ price: 600, whole: 126, total: 726 });
    });

    test('an integer can be other than 0', async () => {
      expect(await bill({ nights: 2 })).toMatchObject({ nights: 2 });
      expect(await bill({ nights: 0 })).toEqual({ status: 400, message, errors: ["'nights' must be other than 0"] });
    });

    test('a record adds up decimals of others exactly', async () => {
      const room = await context.make('room');
      for (const minutes of [0.7, 0.2]) await context.make('cleaning', { roomId: room.id, minutes });
      expect((await context.call('GET', `/rooms/${room.id}`)).body).toMatchObject({ hours: 0.02 });
    });

    test('a key is made of a name, and numbered while it is taken in its room', async () => {
      const [attic, cellar] = [await context.make('room'), await context.make('room')];
      const box = async (body: Json): Promise<string> => {
        const answer = Object(await post('/boxes', { roomId: attic.id, ...body }));
        return answer.key ?? answer.errors;
      };
      const keysOf = async (count: number, body: Json): Promise<string[]> => {
        const keys: string[] = [];
        for (let made = 0; made < count; made += 1) keys.push(await box(body));
        return keys;
      };
      expect(await keysOf(2, { name: 'Éclairs & Tea!' })).toEqual(['eclairs-tea', 'eclairs-tea-2']);
      // Those that are sent count as well; the first that is free is taken.
      for (const key of ['tea-3', 'tea-5', 'tea-6', 'tea-9']) expect(await box({ key, name: 'Tea' })).toBe(key);
      expect(await keysOf(7, { name: 'Tea' })).toEqual(['tea', 'tea-2', 'tea-4', 'tea-7', 'tea-8', 'tea-10', 'tea-11']);
      expect(await box({ roomId: cellar.id, name: 'Tea' })).toBe('tea');
      // Where nothing of a name can stand in a key, or there is no name.
      expect(await keysOf(2, { name: '茶' })).toEqual(['box', 'box-2']);
      expect(await box({ name: null })).toEqual(["'key' is required"]);
      // No key is longer than 255 characters, and none has a hyphen before its number but that of the number.
      expect(await keysOf(2, { name: 'x'.repeat(300) })).toEqual(['x'.repeat(255), `${'x'.repeat(253)}-2`]);
      const cut = `${'y'.repeat(252)}-yy`;
      expect(await keysOf(2, { name: cut })).toEqual([cut, `${'y'.repeat(252)}-2`]);
      // A record keeps its key, whatever becomes of its name.
      const { id } = Object(await post('/boxes', { roomId: attic.id, name: 'Coffee' }));
      expect((await context.call('PATCH', `/boxes/${id}`, { name: 'Cocoa' })).body).toMatchObject({ key: 'coffee' });
    });

    test('what is filled in from elsewhere is held to what the field takes', async () => {
      const made = async (name: string): Promise<string> => String((await context.make('room', { name })).id);
      const [attic, long] = [await made('Attic'), await made('Reading room')];
      const ticket = async (body: Json): Promise<unknown> => {
        const { seat, number, guest, label, errors } = Object(await post('/tickets', { roomId: attic, ...body }));
        return errors ?? [seat, number, guest, label];
      };
      expect(await ticket({})).toEqual([2, 1, 'Ann', 'Attic']);
      expect(await ticket({ roomId: long })).toEqual(["'label' must be at most 8 characters"]);
      expect(
        await ticket({ roomId: long, label: 'R', extras: [{ kitchenId: long, what: 'Tea' }, { kitchenId: long }] }),
      ).toEqual(["'extras[1].what' must be at most 8 characters"]);
      expect(await ticket({ familyName: 'Featherson' })).toEqual(["'guest' must be at most 12 characters"]);
      expect(await ticket({ guest: '', familyName: 'Featherson' })).toEqual(["'guest' must be at most 12 characters"]);
      // Where no seat is left, the last one is shared.
      expect(await ticket({})).toEqual([3, 2, 'Ann', 'Attic']);
      expect(await ticket({})).toEqual([3, 3, 'Ann', 'Attic']);
      expect(await ticket({})).toEqual(["'number' must be from 1 to 3"]);
      expect(await ticket({ number: 1, seat: 2, guest: 'Bo' })).toEqual([2, 1, 'Bo', 'Attic']);
      const { id } = Object(await post('/tickets', { roomId: attic, number: 2, guest: 'Cy' }));
      expect((await context.call('PATCH', `/tickets/${id}`, { familyName: 'Featherson' })).body).toMatchObject({
        errors: ["'guest' must be at most 12 characters"],
      });
    });

    test('a path of an item begins at the fields of the item', async () => {
      const makeRoom = async (name: string): Promise<string> => String((await context.make('room', { name })).id);
      const [hall, bar] = [await makeRoom('Hall'), await makeRoom('Bar')];
      const body = { roomId: hall, number: 3, extras: [{ kitchenId: bar }, { kitchenId: hall }] };
      expect(await post('/tickets', body)).toMatchObject({ extras: [{ what: 'Bar' }, { what: 'Hall' }] });
    });

    test('a list is narrowed by what other records hold, in any order, and counted', async () => {
      const [loft, shed] = [await context.make('room', { name: 'Loft' }), await context.make('room', { name: 'Shed' })];
      for (const key of ['d', 'b', 'e', 'a', 'c'])
        for (const { id } of [loft, shed]) await post('/boxes', { roomId: id, key, isLate: key > 'c' });
      const page = async (query: string) => {
        const { body, text } = await context.call('GET', `/boxes?roomName=Loft&${query}`);
        expect(Object(body).results, text).toBeInstanceOf(Array);
        const { results, hasMore, count } = Object(body);
        for (const { roomName } of results) expect(roomName).toBe('Loft');
        return {
          ids: results.map(({ id }: Json) => id),
          keys: results.map(({ key }: Json) => key).join(''),
          hasMore,
          count,
        };
      };
      expect(await page('count=true')).toMatchObject({ keys: 'caebd', count: 5 });
      expect(await page('isLate=false&count=true')).toMatchObject({ keys: 'cab', count: 3 });
      for (const [order, pages] of [
        ['', ['ca', 'eb', 'd']],
        ['&sort=key', ['ab', 'cd', 'e']],
        ['&sort=-key', ['ed', 'cb', 'a']],
      ] as const) {
        let behind = '';
        const shown: unknown[] = [];
        for (const keys of pages) {
          const found = await page(`limit=2${order}${behind}`);
          expect([order, found.keys, found.hasMore]).toEqual([order, keys, keys.length === 2]);
          shown.push(...found.ids);
          behind = `&startingAfter=${found.ids.at(-1)}`;
        }
        const before = await page(`limit=2${order}&endingBefore=${shown[4]}`);
        expect([order, before.keys, before.hasMore]).toEqual([order, pages.join('').slice(2, 4), true]);
        expect((await page(`limit=2&isLate=true${order}`)).keys).toHaveLength(2);
      }
    });

    const stays = async (...periods: readonly (readonly [from: string | null, to: string | null])[]) => {
      const { id } = await context.make('room');
      const answers: unknown[] = [];
      for (const [from, to] of periods) answers.push(await post('/stays', { roomId: id, from, to }));
      return { id, answers };
    };

    test('a period without an end overlaps whatever comes from its start on', async () => {
      const { id, answers } = await stays(
        ['2030-03-01', null],
        ['2031-01-01', null],
        ['2030-01-01', null],
        ['2035-01-01', '2035-01-02'],
        ['2030-02-01', '2030-03-01'],
        ['2030-02-01', '2030-02-28'],
        [null, '2030-02-01'],
        [null, '2030-01-31'],
        [null, null],
      );
      expect(answers.slice(1, 5)).toEqual([overlap, overlap, overlap, overlap]);
      expect(answers[5]).toMatchObject({ from: '2030-02-01' });
      expect(answers.slice(6)).toEqual([overlap, expect.objectContaining({ to: '2030-01-31' }), overlap]);
      expect(await context.all('stay', `&roomId=${id}`)).toHaveLength(3);
    });

    test('a period without a start overlaps whatever comes before its end, and one without both everything', async () => {
      const first = await stays(
        [null, '2030-03-01'],
        ['2020-01-01', '2020-01-02'],
        [null, '2010-01-01'],
        ['2030-03-02', null],
      );
      expect(first.answers.slice(1)).toEqual([overlap, overlap, expect.objectContaining({ from: '2030-03-02' })]);
      const second = await stays([null, null], ['2020-01-01', '2020-01-02'], ['2020-01-01', null], [null, null]);
      expect(second.answers.slice(1)).toEqual([overlap, overlap, overlap]);
    });

    test('a period cannot lose its end where another follows', async () => {
      const { answers } = await stays(['2030-01-01', '2030-01-31'], ['2030-02-01', null]);
      const [first] = answers as Json[];
      const path = `/stays/${String(first?.['id'])}`;
      expect((await context.call('PATCH', path, { to: null })).body).toEqual(overlap);
      expect((await context.call('PATCH', path, { from: null })).status).toBe(200);
    });

    test('of many periods without an end that come at once one is taken', async () => {
      const { id } = await context.make('room');
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_value, day) =>
          context.call('POST', '/stays', { roomId: id, from: `2030-01-${10 + day}`, to: null }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    });

    test('a period without an end holds every day from its start on', async () => {
      const { id, answers } = await stays(['2030-03-01', null]);
      const [stay] = answers as Json[];
      expect(await post('/meals', { roomId: id, date: '2040-01-01' })).toMatchObject({ stay: { id: stay?.['id'] } });
      expect(await post('/meals', { roomId: id, date: '2030-02-28' })).toMatchObject({ stay: null });
    });
  },
  'rules',
);
