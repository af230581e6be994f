import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { ConfigurationFault } from '../../src/configuration-fault.ts';

describe('configuration', () => {
  it('has a default for everything, also for variables that are empty', () => {
    const config = {
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: 'sqlite:data/workspace.sqlite',
      accessToken: undefined,
      resources: 'resources',
      migrations: 'migrations',
      applyAdditions: false,
      corsOrigins: [],
      rateLimit: undefined,
      recordsPerWrite: undefined,
      connectionsPerAddress: undefined,
      serverTiming: true,
      logLevel: 'info',
      files: 'data/files',
      webhooks: { hosts: [] },
      setup: { workspaceName: 'My Company', workspaceCurrency: 'USD', adminName: undefined, adminEmail: undefined },
    };
    expect(readConfig({})).toEqual(config);
    expect(readConfig({ PORT: '', ACCESS_TOKEN: '', CORS_ORIGINS: '', ADMIN_NAME: '', RESOURCES: '' })).toEqual(config);
  });

  it('takes what is given', () => {
    const given = {
      PORT: '0',
      HOST: '::1',
      DATABASE_URL: 'mysql://u:p@h/d',
      ACCESS_TOKEN: '0123456789abcdef!~"\'{}[]',
      RESOURCES: 'test/resources',
      MIGRATIONS: 'steps',
      APPLY_ADDITIONS: 'true',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:5173,',
      RATE_LIMIT: '6000/min',
      RECORDS_PER_WRITE: '2000',
      SUMMARY_ROWS: '3000',
      FILES: '/var/files',
      EXPORT_LIMIT: '2h',
      WEBHOOK_HOSTS: 'hooks.internal:8080, [::1]:9000',
      WEBHOOK_TRIES: '5s,2min/1h',
      EXPORT_STALL: '20s',
      DATABASE_WAIT: '30min',
      CONNECTIONS_PER_ADDRESS: '50',
      CONSOLE: 'false',
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      WORKSPACE_NAME: 'Ünïcode & Sons 🏗',
      WORKSPACE_CURRENCY: 'JPY',
      ADMIN_NAME: 'Ada',
      ADMIN_EMAIL: 'ada@example.com',
    };
    expect(readConfig(given)).toEqual({
      port: 0,
      host: '::1',
      databaseUrl: 'mysql://u:p@h/d',
      databaseWaitMs: 1_800_000,
      accessToken: '0123456789abcdef!~"\'{}[]',
      resources: 'test/resources',
      migrations: 'steps',
      applyAdditions: true,
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
      rateLimit: { requests: 6000, seconds: 60 },
      recordsPerWrite: 2000,
      summaryRows: 3000,
      files: '/var/files',
      webhooks: {
        hosts: ['hooks.internal:8080', '[::1]:9000'],
        pauses: { pausesMs: [5000, 120_000], untilMs: 3_600_000 },
      },
      exportLimitMs: 7_200_000,
      exportStallMs: 20_000,
      connectionsPerAddress: 50,
      console: false,
      serverTiming: false,
      logLevel: 'warn',
      setup: {
        workspaceName: 'Ünïcode & Sons 🏗',
        workspaceCurrency: 'JPY',
        adminName: 'Ada',
        adminEmail: 'ada@example.com',
      },
    });
  });

  it.each([
    ['1/s', 1, 1],
    ['100/s', 100, 1],
    ['6000/min', 6000, 60],
    ['100000/h', 100_000, 3600],
  ])('reads a rate limit of %s', (text, requests, seconds) => {
    expect(readConfig({ RATE_LIMIT: text }).rateLimit).toEqual({ requests, seconds });
  });

  const messageOf = (env: Record<string, string>): string => {
    try {
      readConfig(env);
    } catch (error) {
      if (error instanceof ConfigurationFault) return error.message;
    }
    throw new Error('expected a ConfigurationFault');
  };

  const port = 'PORT must be a whole number from 0 to 65535, not';
  const host = 'HOST must be an IP address or a host name without port or scheme, not';
  const token = 'ACCESS_TOKEN must be 24 or more visible ASCII characters without spaces.';
  const origin = 'CORS_ORIGINS must be origins separated by commas, each like';
  const rate =
    "RATE_LIMIT must be a number of requests from 1 to 1000000000 a second, minute or hour, like '100/s', '6000/min' or '100000/h', not";
  const both = 'is not; set both or none.';
  it.each([
    ['PORT', 'x', `${port} 'x'.`],
    ['PORT', '65536', `${port} '65536'.`],
    ['PORT', '-1', `${port} '-1'.`],
    ['PORT', '3000.5', `${port} '3000.5'.`],
    ['PORT', '0x10', `${port} '0x10'.`],
    ['PORT', ' 80', `${port} ' 80'.`],
    ['HOST', 'http://localhost', `${host} 'http://localhost'.`],
    ['HOST', 'localhost:3000', `${host} 'localhost:3000'.`],
    ['HOST', '[::1]', `${host} '[::1]'.`],
    ['ACCESS_TOKEN', 'twenty-three-characters', token],
    ['ACCESS_TOKEN', 'twenty-four  characters!', token],
    ['ACCESS_TOKEN', 'twenty-four-charactersü!', token],
    ['ACCESS_TOKEN', 'twenty-four-characters!!\n', token],
    ['RESOURCES', 'nowhere', "RESOURCES must be a folder of descriptors; there is no folder 'nowhere'."],
    ['RESOURCES', 'package.json', "RESOURCES must be a folder of descriptors; there is no folder 'package.json'."],
    ['CORS_ORIGINS', '*', `${origin} 'https://app.example.com', not '*'.`],
    ['CORS_ORIGINS', 'null', `${origin} 'https://app.example.com', not 'null'.`],
    ['CORS_ORIGINS', 'ftp://a.b', `${origin} 'https://app.example.com', not 'ftp://a.b'.`],
    ['CORS_ORIGINS', 'https://a.b,https://C.d:443/', `${origin} 'https://c.d', not 'https://C.d:443/'.`],
    ...['0/s', '100', '100/', '100/d', '1.5/s', '-1/s', '1e3/s', ' 1/s', '100 / s', '9999999999/s', 'off'].map(
      (value): [string, string, string] => ['RATE_LIMIT', value, `${rate} '${value}'.`],
    ),
    ...['0', '10001', 'many', '1.5', '-1'].map((value): [string, string, string] => [
      'CONNECTIONS_PER_ADDRESS',
      value,
      `CONNECTIONS_PER_ADDRESS must be a whole number from 1 to 10000, not '${value}'.`,
    ]),
    ...['0', '10000001', 'all'].map((value): [string, string, string] => [
      'RECORDS_PER_WRITE',
      value,
      `RECORDS_PER_WRITE must be a whole number from 1 to 10000000, not '${value}'.`,
    ]),
    ...['localhost', 'http://localhost:1', 'a:b', 'a:1,'].map((value) => [
      'WEBHOOK_HOSTS',
      value,
      `WEBHOOK_HOSTS must be hosts with their ports, separated by commas, like 'hooks.internal:8080', not '${value.split(',').at(-1)}'.`,
    ]),
    ...['5s', '5s/', '5/72h', '5s,/72h', '5s/72h/1h'].map((value) => [
      'WEBHOOK_TRIES',
      value,
      `WEBHOOK_TRIES must be pauses with commas, and behind a slash how long it is tried, like '5s,30s,2min,1h/72h', not '${value}'.`,
    ]),
    ['SUMMARY_ROWS', '0', "SUMMARY_ROWS must be a whole number from 1 to 100000000, not '0'."],
    ['LOG_LEVEL', 'loud', "LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not 'loud'."],
    ['WORKSPACE_NAME', ' ', 'WORKSPACE_NAME must be a text of at most 255 characters.'],
    ['WORKSPACE_NAME', 'x'.repeat(256), 'WORKSPACE_NAME must be a text of at most 255 characters.'],
    [
      'WORKSPACE_CURRENCY',
      'usd',
      `WORKSPACE_CURRENCY must be the ISO 4217 code of a currency in use, not 'usd'; did you mean "USD"?`,
    ],
    ['ADMIN_NAME', 'Ada', `ADMIN_NAME is set and ADMIN_EMAIL ${both}`],
    ['ADMIN_EMAIL', 'ada@example.com', `ADMIN_EMAIL is set and ADMIN_NAME ${both}`],
  ])('refuses %s=%s', (name, value, message) => {
    expect(messageOf({ [name]: value })).toBe(message);
  });

  it('tells all that is wrong at once, a line each, and quotes no secret', () => {
    const message = messageOf({
      PORT: 'x',
      HOST: 'a b',
      ACCESS_TOKEN: 's3cret',
      ADMIN_NAME: 'Ada',
      ADMIN_EMAIL: 'ada',
    });
    expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'HOST',
      'ACCESS_TOKEN',
      'ADMIN_EMAIL',
    ]);
    expect(message).not.toContain('s3cret');
  });
});
