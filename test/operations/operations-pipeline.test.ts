// Operations 4 to 7 of the interface: contacts, opportunity stages, pipeline activity types.
import { describe, expect, test } from 'vitest';
import {
  expectFaults,
  expectGone,
  expectProblem,
  pageOf,
  recordOf,
  unknownId,
  unknownRecord,
} from '../support/service/answers.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const contactFields = [
  ...['id', 'firstName', 'lastName', 'name', 'email', 'title', 'description', 'officePhone', 'mobilePhone', 'fax'],
  ...['websiteUrl', 'createdAt', 'createdBy', 'ownerId', 'practiceId', 'businessUnitId', 'timeZoneId', 'tags'],
  ...['crmOneId', 'crmTwoId'],
];
const stageFields = [
  'id',
  'name',
  'description',
  'probability',
  'statusId',
  'isActive',
  'opportunityPipelineId',
  'createdAt',
];
const typeFields = ['id', 'name', 'description', 'readOnly', 'typeId', 'createdAt', 'isActive'];
const kinds = [
  ...['amount_change', 'call', 'client_assignment', 'edit', 'email', 'expected_close_date_change', 'file', 'meeting'],
  ...['next_steps_change', 'note', 'open_date_change', 'other', 'owner_change', 'probability_change'],
  ...['project_assignment', 'revenue_change', 'stage_change'],
];

onEveryDatabase(
  'the pipeline',
  (context) => {
    describe('contacts', () => {
      const create = (body: unknown) => context.call('POST', '/contacts', body);
      const patch = (id: string, body: unknown) => context.call('PATCH', `/contacts/${id}`, body);

      test('creates a contact with every field of the interface', async () => {
        const owner = await context.make('member');
        const [practice, unit] = [await context.make('practice'), await context.make('business-unit')];
        const tags = [await context.make('contact-tag'), await context.make('contact-tag')].reverse();
        const plain = {
          ...{
            firstName: 'Ann',
            lastName: 'Lee',
            name: 'Dr. Ann Lee',
            email: 'ann@x.org',
            title: 'Head',
            description: 'a\nb',
          },
          ...{
            officePhone: '+1 2',
            mobilePhone: '3',
            fax: '4',
            websiteUrl: 'anything goes',
            timeZoneId: 'America/St_Johns',
          },
        };
        const ids = { ownerId: owner.id, practiceId: practice.id, businessUnitId: unit.id };
        const shown = recordOf(await create({ ...plain, ...ids, tagIds: tags.map(({ id }) => id) }));
        expect(Object.keys(shown)).toEqual(contactFields);
        expect(shown).toMatchObject({ ...plain, ...ids, createdBy: null, crmOneId: null, crmTwoId: null });
        expect(shown.tags).toEqual(tags.map(({ id, name }) => ({ id, name })));
        expect(recordOf(await context.call('GET', `/contacts/${shown.id}`))).toEqual(shown);
      });

      test('gives a new contact its defaults, the time zone of the workspace among them', async () => {
        recordOf(await context.call('PATCH', '/workspace-settings', { timeZoneId: 'Asia/Kolkata' }));
        const shown = recordOf(await create({ lastName: 'Only' }));
        recordOf(await context.call('PATCH', '/workspace-settings', { timeZoneId: 'UTC' }));
        const texts = ['firstName', 'email', 'title', 'description', 'officePhone', 'mobilePhone', 'fax', 'websiteUrl'];
        expect(shown).toEqual({
          ...Object.fromEntries(texts.map((field) => [field, ''])),
          ...{
            id: shown.id,
            lastName: 'Only',
            name: 'Only',
            createdAt: shown.createdAt,
            createdBy: null,
            ownerId: null,
          },
          ...{
            practiceId: null,
            businessUnitId: null,
            timeZoneId: 'Asia/Kolkata',
            tags: [],
            crmOneId: null,
            crmTwoId: null,
          },
        });
      });

      test('makes the name from its parts until a name is sent', async () => {
        const required = "'name' is required";
        expectFaults(await create({}), required);
        expectFaults(await create({ firstName: ' ', lastName: '', name: null, email: 'a@b.c' }), required);
        const { id, name } = recordOf(await create({ firstName: 'Ann', lastName: 'Lee' }));
        expect(name).toBe('Ann Lee');
        expect(recordOf(await patch(id, { lastName: 'Moe' })).name).toBe('Ann Moe');
        expect(recordOf(await patch(id, { lastName: 'Poe', name: 'A. P.' }))).toMatchObject({
          lastName: 'Poe',
          name: 'A. P.',
        });
        expect(recordOf(await patch(id, { title: 'x' })).name).toBe('A. P.');
        expect(recordOf(await patch(id, { firstName: null })).name).toBe('Poe');
        expectFaults(await patch(id, { name: null }), required);
        expectFaults(await patch(id, { lastName: null }), required);
      });

      test.each([
        ['firstName', 127],
        ['lastName', 127],
        ['name', 255],
        ['title', 255],
        ['description', 5000],
        ['officePhone', 255],
        ['mobilePhone', 255],
        ['fax', 255],
        ['websiteUrl', 255],
      ])('takes a %s of %i characters and no more', async (field, most) => {
        const text = 'é'.repeat(most);
        expect(recordOf(await create({ name: 'x', [field]: text }))[field]).toBe(text);
        expectFaults(await create({ name: 'x', [field]: `${text}x` }), `'${field}' must be at most ${most} characters`);
      });

      test('takes an e-mail address of 255 characters and no more', async () => {
        const email = `a@${`${'b'.repeat(63)}.`.repeat(3)}${'c'.repeat(61)}`;
        expect(recordOf(await create({ name: 'x', email })).email).toBe(email);
        expectFaults(await create({ name: 'x', email: `a${email}` }), "'email' must be at most 255 characters");
        expectFaults(await create({ name: 'x', email: 'a b@c' }), "'email' must be an e-mail address");
      });

      test('refuses what no contact may have, all at once and in the order of the record', async () => {
        expectFaults(
          await create({
            ...{
              id: unknownId,
              firstName: 1,
              lastName: 'x'.repeat(128),
              email: 'no',
              createdBy: unknownId,
              ownerId: unknownId,
            },
            ...{
              practiceId: 'x',
              businessUnitId: {},
              timeZoneId: '+01:00',
              tagIds: [unknownId, 'x'],
              crmOneId: 'a',
              crmTwoId: 'b',
            },
            toString: 1,
          }),
          "'id' is not allowed",
          "'firstName' must be a string",
          "'lastName' must be at most 127 characters",
          "'email' must be an e-mail address",
          "'createdBy' is not allowed",
          "'ownerId' does not refer to an existing Member",
          "'practiceId' must be a UUID",
          "'businessUnitId' must be a UUID",
          "'timeZoneId' must be an IANA time zone",
          "'tagIds[0]' does not refer to an existing Contact Tag",
          "'tagIds[1]' must be a UUID",
          "'crmOneId' is not allowed",
          "'crmTwoId' is not allowed",
          "'toString' is not allowed",
        );
      });

      test('takes the identifiers of CRM systems on update only, and finds them', async () => {
        const { id } = await context.make('contact');
        const shown = recordOf(await patch(id, { crmOneId: 'One-1', crmTwoId: ' ' }));
        expect(shown).toMatchObject({ crmOneId: 'One-1', crmTwoId: null });
        expect(await context.all('contact', '&crmOneId=One-1')).toEqual([shown]);
        expect(await context.all('contact', '&crmOneId=one-1')).toEqual([]);
      });

      test('finds contacts by parts of their names, without regard to case', async () => {
        const { id } = await context.make('contact', { name: 'Straße 100%_\\' });
        const matches = async (query: string) =>
          (await context.all('contact', `&${query}`)).map((contact) => contact.id);
        for (const query of [
          'name=STRASSE+100%25_%5C',
          'nameContains=SSE+1',
          'nameStartsWith=stras',
          'nameEndsWith=%25_%5C',
          'nameContains=%25',
        ]) {
          expect(await matches(query), query).toEqual([id]);
        }
        for (const query of [
          'nameContains=a%25e',
          'nameStartsWith=%25',
          'nameContains=1_0',
          'nameEndsWith=%5C%5C',
          "nameContains='",
        ]) {
          expect(await matches(query), query).toEqual([]);
        }
      });
    });

    describe('opportunity stages', () => {
      const create = (body: unknown) => context.call('POST', '/opportunity-stages', body);

      test('creates a stage with every field, and with its defaults', async () => {
        const { id: opportunityPipelineId } = await context.make('opportunity-pipeline');
        const body = {
          name: 'Deal',
          probability: 0.1234,
          statusId: 'lost',
          opportunityPipelineId,
          description: 'd',
          isActive: false,
        };
        const shown = recordOf(await create(body));
        expect(Object.keys(shown)).toEqual(stageFields);
        expect(shown).toEqual({ id: shown.id, createdAt: shown.createdAt, ...body });
        const rest = { description: '', isActive: true, opportunityPipelineId };
        for (const [statusId, probability] of [
          ['open', 0],
          ['lost', 0],
          ['won', 1],
          [undefined, 0],
          [null, 0],
        ] as const) {
          const name = `Stage ${statusId}`;
          expect(recordOf(await create({ name, opportunityPipelineId, statusId }))).toMatchObject({
            ...rest,
            name,
            statusId: statusId ?? 'open',
            probability,
          });
        }
        expect(
          recordOf(await create({ name: 'Won, perhaps', opportunityPipelineId, statusId: 'won', probability: 0.5 }))
            .probability,
        ).toBe(0.5);
      });

      test('keeps probabilities of four decimals exactly', async () => {
        const { id: opportunityPipelineId } = await context.make('opportunity-pipeline');
        for (const probability of [0, 0.0001, 0.0003, 0.1, 0.2999, 0.57, 0.9999, 1]) {
          expect(
            recordOf(await create({ name: `P ${probability}`, opportunityPipelineId, probability })).probability,
          ).toBe(probability);
        }
        const zeros = `{"name":"Zeros","opportunityPipelineId":"${opportunityPipelineId}","probability":0.250000000}`;
        expect(recordOf(await create(zeros)).probability).toBe(0.25);
      });

      test.each([
        ['1.0001', 'from 0 to 1'],
        ['-0.0001', 'from 0 to 1'],
        ['2', 'from 0 to 1'],
        ['1e999', 'from 0 to 1'],
        ['0.00001', 'a number with at most 4 decimals'],
        ['0.12345', 'a number with at most 4 decimals'],
        ['0.30000000000000004', 'a number with at most 4 decimals'],
        ['"0.5"', 'a number'],
        ['true', 'a number'],
        ['[0.5]', 'a number'],
        ['{}', 'a number'],
      ])('refuses a probability of %s', async (probability, words) => {
        const { id } = await context.make('opportunity-pipeline');
        const answer = await create(`{"name":"x","opportunityPipelineId":"${id}","probability":${probability}}`);
        expectFaults(answer, `'probability' must be ${words}`);
      });

      test('needs a name and a pipeline, and a name once a pipeline', async () => {
        expectFaults(await create({}), "'name' is required", "'opportunityPipelineId' is required");
        const [one, other] = [await context.make('opportunity-pipeline'), await context.make('opportunity-pipeline')];
        recordOf(await create({ name: 'Same', opportunityPipelineId: one.id }));
        recordOf(await create({ name: 'Same', opportunityPipelineId: other.id }));
        const message = 'An Opportunity Stage with the same name already exists.';
        expectProblem(await create({ name: ' SAME ', opportunityPipelineId: one.id }), 409, message);
        const unknown = "'opportunityPipelineId' does not refer to an existing Opportunity Pipeline";
        expectFaults(await create({ name: 'Same', opportunityPipelineId: unknownId }), unknown);
      });

      test.each([
        ['name', 255],
        ['description', 5000],
      ])('takes a %s of %i characters and no more', async (field, most) => {
        const { id: opportunityPipelineId } = await context.make('opportunity-pipeline');
        const body = { name: 'x', opportunityPipelineId };
        expect(recordOf(await create({ ...body, [field]: 'ö'.repeat(most) }))[field]).toBe('ö'.repeat(most));
        expectFaults(
          await create({ ...body, [field]: 'ö'.repeat(most + 1) }),
          `'${field}' must be at most ${most} characters`,
        );
      });

      test('changes the status in any direction, and keeps the pipeline', async () => {
        const stage = await context.make('opportunity-stage', { statusId: 'won' });
        const patch = (body: Json) => context.call('PATCH', `/opportunity-stages/${stage.id}`, body);
        for (const statusId of ['lost', 'open', 'lost', 'won', 'open']) {
          expect(recordOf(await patch({ statusId }))).toEqual({ ...stage, statusId });
        }
        expectFaults(
          await patch({ opportunityPipelineId: stage.opportunityPipelineId }),
          "'opportunityPipelineId' is not allowed",
        );
      });
    });

    test('finds opportunities by the status of their stage, which they do not show', async () => {
      const stage = await context.make('opportunity-stage', { statusId: 'open' });
      const made = await context.make('opportunity', { opportunityStageId: stage.id });
      expect(Object.keys(made)).not.toContain('statusId');
      expect(made['closedOn']).toBeNull();
      const isFound = async (statusId: string): Promise<boolean> =>
        (await context.all('opportunity', `&statusId=${statusId}`)).some(({ id }) => id === made.id);
      expect([await isFound('open'), await isFound('won')]).toEqual([true, false]);
      // A stage takes its opportunities along.
      await context.call('PATCH', `/opportunity-stages/${stage.id}`, { statusId: 'won' });
      expect([await isFound('open'), await isFound('won')]).toEqual([false, true]);
      const answer = await context.call('GET', `/opportunities/${made.id}`);
      expect(recordOf(answer)['closedOn']).not.toBeNull();
    });

    describe('pipeline activity types', () => {
      const patch = (id: string, body: unknown) => context.call('PATCH', `/pipeline-activity-types/${id}`, body);
      const typeOf = async (kind: string) => {
        const found = (await context.all('pipeline-activity-type')).find(({ typeId }) => typeId === kind);
        if (found === undefined) throw new Error(`no type ${kind}`);
        return found;
      };

      test('lists one type for each kind, ten at a time, found by its exact name', async () => {
        const first = pageOf(await context.call('GET', '/pipeline-activity-types'));
        expect([first.results.length, first.hasMore]).toEqual([10, true]);
        const types = await context.all('pipeline-activity-type');
        expect(types.map(({ typeId }) => typeId)).toEqual(kinds.toReversed());
        expect(
          types
            .filter(({ readOnly }) => readOnly !== true)
            .map(({ typeId }) => typeId)
            .sort(),
        ).toEqual(['call', 'email', 'file', 'meeting', 'note', 'other']);
        for (const type of types) expect(Object.keys(type)).toEqual(typeFields);
        const named = await context.all('pipeline-activity-type', '&name=Stage+Change');
        expect(named).toEqual([types[0]]);
        expect(await context.all('pipeline-activity-type', '&name=stage+change')).toEqual([]);
      });

      test('updates name, description, state and kind of a type', async () => {
        const type = await typeOf('meeting');
        const body = { name: 'Met', description: 'In person', isActive: false, typeId: 'call' };
        expect(recordOf(await patch(type.id, body))).toEqual({ ...type, ...body });
        expect(recordOf(await patch(type.id, { isActive: null, description: null }))).toEqual({
          ...type,
          ...body,
          isActive: true,
          description: '',
        });
        expectFaults(await patch(type.id, { typeId: 'nothing' }), `'typeId' must be one of ${kinds.join(', ')}`);
        expectFaults(
          await patch(type.id, { readOnly: true, createdAt: 'x' }),
          "'readOnly' is not allowed",
          "'createdAt' is not allowed",
        );
        expectProblem(await patch(unknownId, { name: 'x' }), 404, unknownRecord(unknownId));
        expectProblem(await patch('x', {}), 400, "Parameter 'id' is not a valid UUID.");
      });

      test('keeps the kind of a read-only type, and the type itself', async () => {
        const type = await typeOf('edit');
        const readOnly = 'The Pipeline Activity Type is read-only.';
        expectProblem(await patch(type.id, { typeId: 'call' }), 409, readOnly);
        expectProblem(await patch(type.id, { typeId: 'call', name: 5 }), 409, readOnly);
        expectProblem(await context.call('DELETE', `/pipeline-activity-types/${type.id}`), 409, readOnly);
        const body = { name: 'Edited', description: 'x', isActive: false, typeId: 'edit' };
        expect(recordOf(await patch(type.id, body))).toEqual({ ...type, ...body });
        expectProblem(
          await patch(type.id, { name: 'cALL ' }),
          409,
          'A Pipeline Activity Type with the same name already exists.',
        );
        expectGone(await context.call('DELETE', `/pipeline-activity-types/${(await typeOf('file')).id}`));
      });

      test.each([
        ['name', 255],
        ['description', 5000],
      ])('takes a %s of %i characters and no more', async (field, most) => {
        const { id } = await typeOf('note');
        expect(recordOf(await patch(id, { [field]: 'ö'.repeat(most) }))[field]).toBe('ö'.repeat(most));
        expectFaults(
          await patch(id, { [field]: 'ö'.repeat(most + 1) }),
          `'${field}' must be at most ${most} characters`,
        );
      });
    });
  },
  'product',
);
