// What the errors of drivers mean: whether a unit is run again, whether anything may have been done, and what callers are told.
import { describe, expect, it } from 'vitest';
import { problems } from '../../src/problems.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { faultOf, hindranceOf } from '../../src/storage/errors.ts';
import { SchemaRevision } from '../../src/storage/rows/schema-revision.ts';
import {
  CommitError,
  DeadlineError,
  NotSentError,
  ReplacedError,
  TransactionLostError,
} from '../../src/storage/schema/error-kinds.ts';
import { WriteStatus } from '../../src/storage/write-status.ts';

const away = (notDone: boolean, reconnect: boolean) => ({ kind: 'away', notDone, reconnect });
const [refused, stale] = [away(true, false), away(true, true)];
const [lost, silent] = [away(false, true), away(false, false)];

const driverError = (fields: object, message = 'x'): Error => Object.assign(new Error(message), fields);

describe('faults', () => {
  // By the lists of errors of MySQL, MariaDB, Galera, Group Replication and TiDB.
  it.each([
    [{ kind: 'retry' }, [1213, 1020, 1412, 1615, 3101, 8002, 8005, 8022, 8028, 9007]],
    [{ kind: 'retry', isWaiting: true }, [1205]],
    [{ kind: 'foreignKeyMissing' }, [1216, 1452]],
    [{ kind: 'foreignKeyUsed' }, [1217, 1451]],
    [{ kind: 'range' }, [1048, 1138, 1153, 1264, 1265, 1292, 1364, 1366, 1406, 1690, 3140, 3819, 4025]],
    [refused, [3, 20, 1021, 1026, 1040, 1114, 1203, 1226, 1969, 3024]],
    [stale, [1290, 1792, 1836]],
    [lost, [1047, 1053, 1317, 1927, 4031]],
    [silent, [1180, 3100, 9001, 9002, 9003, 9005]],
    [{ kind: 'unique', key: 'name' }, [1062, 1586, 1859]],
    [{ kind: 'unknown' }, [1064, 1146, 0, -1]],
  ])('of servers: %o', (fault, numbers) => {
    const message = "Duplicate entry 'x' for key 'table.name'";
    expect(numbers.filter((errno) => faultOf(driverError({ errno }, message)).kind !== fault.kind)).toEqual([]);
    for (const errno of numbers) expect(faultOf(driverError({ errno }, message))).toEqual(fault);
  });

  it.each([
    [{ kind: 'foreignKey' }, [787, 1811]],
    [{ kind: 'range' }, [275, 1299, 3091, 18, 20, 18 + 256]],
    [{ kind: 'retry', isLocked: true }, [5, 261, 517]],
    [{ kind: 'retry' }, [6, 262]],
    [refused, [8, 10, 13, 14, 778, 266, 526]],
    [{ kind: 'unique', key: ['t.a', 't.b'] }, [1555, 2067, 2579]],
    [{ kind: 'unknown' }, [1, 11]],
  ])('of SQLite: %o', (fault, codes) => {
    const message = 'UNIQUE constraint failed: t.a, t.b';
    for (const errcode of codes)
      expect([errcode, faultOf(driverError({ errcode }, message))]).toEqual([errcode, fault]);
  });

  it.each([
    [lost, ['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'PROTOCOL_CONNECTION_LOST']],
    [refused, ['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND']],
    [{ kind: 'unknown' }, ['ENOENT']],
  ])('of the network: %o', (fault, codes) => {
    for (const code of codes) expect([code, faultOf(driverError({ code }))]).toEqual([code, fault]);
  });

  it('of our own', () => {
    expect(faultOf(new TransactionLostError(new Error('x')))).toEqual({ kind: 'retry' });
    expect(faultOf(new ReplacedError('workspace.sqlite'))).toEqual(refused);
    const big = driverError({ code: 'ERR_INVALID_ARG_VALUE' }, 'BigInt value is too large to bind.');
    expect(faultOf(big)).toEqual({ kind: 'range' });
    expect(faultOf(driverError({ code: 'ERR_INVALID_ARG_VALUE' }))).toEqual({ kind: 'unknown' });
    // An index over an expression is named, whatever the entry holds.
    const named = driverError({ errcode: 2067 }, "UNIQUE constraint failed: index 'owner__key'");
    expect(faultOf(named)).toEqual({ kind: 'unique', key: 'owner__key' });
    expect(faultOf(driverError({ errno: 1062 }, "Duplicate entry 'a'b' for key 'name'"))).toMatchObject({
      key: 'name',
    });
  });

  it.each([
    [
      driverError({ errno: 1062 }, "Duplicate entry 'a' for key 'owner.owner_name'"),
      { kind: 'unique', key: 'owner_name' },
    ],
    [driverError({ errno: 1213 }), { kind: 'retry' }],
    [new CommitError(driverError({ errno: 1213 })), { kind: 'retry' }],
    [driverError({ errno: 9007 }), { kind: 'retry' }],
    [driverError({ errno: 8022 }), { kind: 'retry' }],
    [driverError({ errcode: 6 }), { kind: 'retry' }],
    [driverError({ errcode: 262 }), { kind: 'retry' }],
    [driverError({ errno: 4025 }), { kind: 'range' }],
    [driverError({ errcode: 517 }), { kind: 'retry', isLocked: true }],
    [driverError({ errcode: 261 }), { kind: 'retry', isLocked: true }],
    [driverError({ errcode: 778 }), { kind: 'away', notDone: true, reconnect: false }],
    [driverError({ errno: 1290 }), { kind: 'away', notDone: true, reconnect: true }],
    [driverError({ errno: 1180 }), { kind: 'away', notDone: false, reconnect: false }],
    [
      driverError({ errno: 1180 }, "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT"),
      { kind: 'retry' },
    ],
    [
      new CommitError(driverError({ errno: 1180 }, "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT")),
      { kind: 'retry' },
    ],
    [driverError({ errno: 1047 }), { kind: 'away', notDone: false, reconnect: true }],
    [
      driverError({ errno: -111, code: 'ECONNREFUSED', fatal: true }),
      { kind: 'away', notDone: true, reconnect: false },
    ],
    [driverError({ code: 'PROTOCOL_CONNECTION_LOST', fatal: true }), { kind: 'away', notDone: false, reconnect: true }],
    [driverError({ fatal: true }), { kind: 'away', notDone: false, reconnect: true }],
    [
      driverError({ fatal: true }, "Can't add new command when connection is in closed state"),
      { kind: 'away', notDone: true, reconnect: true },
    ],
    [new NotSentError(new Error('x')), { kind: 'away', notDone: true, reconnect: false }],
    [new DeadlineError(5), { kind: 'away', notDone: false, reconnect: false }],
    [driverError({ errno: 1406 }), { kind: 'range' }],
    [new TypeError('x'), { kind: 'unknown' }],
    ['text', { kind: 'unknown' }],
  ])('reads %s', (error, fault) => {
    expect(faultOf(error)).toEqual(fault);
  });

  it.each([
    ['full', [{ errcode: 13 }, { errcode: 13 + 256 }, { errno: 20 }, { errno: 1021 }, { errno: 1114 }]],
    ['readOnly', [{ errcode: 8 }, { errcode: 776 }, { errno: 1290 }, { errno: 1792 }, { errno: 1836 }]],
    [undefined, [{ errcode: 5 }, { errno: 1213 }, { errno: '1290' }, { errcode: '13' }, {}]],
  ])('tell that nobody can write: %s', (hindrance, fields) => {
    for (const each of fields) expect([each, hindranceOf(driverError(each))]).toEqual([each, hindrance]);
  });

  it('tell that a disk is full by their text, where a file could not be written', () => {
    const texts = {
      3: 'Error writing file \'./x/y.ibd\' (Errcode: 28 "No space left on device")',
      1026: "Error writing file 'binlog' (errno: 28 - No space left on device)",
      1030: 'Got error 28 "No space left on device" from storage engine InnoDB',
    };
    for (const [errno, text] of Object.entries(texts))
      expect([text, hindranceOf(driverError({ errno: Number(errno) }, text))]).toEqual([text, 'full']);
    expect(hindranceOf(driverError({ errno: 1030 }, 'Got error 168 "Unknown" from storage engine'))).toBeUndefined();
    expect(hindranceOf(driverError({ errno: 3 }, 'Error writing file (Errcode: 5 "I/O error")'))).toBeUndefined();
    expect(hindranceOf(driverError({ errno: 3 }, 'Errcode: 280'))).toBeUndefined();
    expect(hindranceOf(driverError({ errno: 1213 }, 'Errcode: 28'))).toBeUndefined();
    expect(hindranceOf(new CommitError(driverError({ errno: 1021 })))).toBe('full');
    expect(hindranceOf(new ReplacedError('workspace.sqlite'))).toBe('replaced');
    expect(hindranceOf('text')).toBeUndefined();
  });
});

it('what keeps one from writing keeps all; what a read meets says nothing of writes', async () => {
  const database = await openDatabase('sqlite::memory:');
  const status = new WriteStatus(database, new SchemaRevision(database));
  const [full, readOnly] = [driverError({ errcode: 13 }), driverError({ errcode: 8 })];
  expect(status.refusal('read', full)).toEqual(problems.databaseAway());
  expect(status.refusal('write', driverError({ errcode: 14 }))).toEqual(problems.databaseAway());
  expect([status.hindrance, status.problem]).toEqual([undefined, undefined]);
  expect(status.refusal('write', full)).toEqual(problems.databaseFull());
  expect(status.problem).toEqual(problems.databaseFull());
  expect(status.refusal('transaction', readOnly)).toEqual(problems.databaseReadOnly());
  expect(status.hindrance).toBe('readOnly');
  await database.close();
});
