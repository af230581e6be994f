// The settings by which people sign in, and what stops the start.
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { ConfigurationFault } from '../../src/configuration-fault.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { sqlite } from '../support/databases/databases.ts';
import { folders, startService } from '../support/service/praxis.ts';
import { everyone } from './everyone.ts';

const oidc = {
  SIGN_IN: 'oidc',
  OIDC_ISSUER: 'https://login.example.com/realms/work',
  OIDC_CLIENT_ID: 'praxis',
  OIDC_CLIENT_SECRET: '0123456789abcdef',
  PUBLIC_URL: 'https://work.example.com',
};

describe('settings of sign-in', () => {
  it('are none by default, and a session lasts twelve hours', () => {
    expect(readConfig({ SESSION_HOURS: '3' }).signIn).toBeUndefined();
    expect(readConfig({ SIGN_IN: 'password' }).signIn).toEqual({
      ways: ['password'],
      sessionHours: 12,
      oidc: undefined,
    });
  });

  it('take both ways, in either order', () => {
    const { signIn, publicUrl } = readConfig({ ...oidc, SIGN_IN: 'oidc, password', SESSION_HOURS: '1' });
    expect({ ...signIn, publicUrl }).toEqual({
      ways: ['password', 'oidc'],
      sessionHours: 1,
      oidc: {
        issuer: 'https://login.example.com/realms/work',
        clientId: 'praxis',
        clientSecret: '0123456789abcdef',
        publicUrl: 'https://work.example.com',
      },
      publicUrl: 'https://work.example.com',
    });
    for (const issuer of ['http://localhost:4000', 'http://127.0.0.1:4000/x', 'http://[::1]'])
      expect(readConfig({ ...oidc, OIDC_ISSUER: issuer }).signIn?.oidc?.issuer).toBe(issuer);
  });

  const ways = 'SIGN_IN must be password, oidc or both, separated by a comma, not';
  const issuer = 'OIDC_ISSUER must be the https address of an issuer, without a query, not';
  const secret = 'OIDC_CLIENT_SECRET must be 16 or more visible ASCII characters without spaces.';
  it.each<[Record<string, string>, string]>([
    [{ SIGN_IN: 'pasword' }, `${ways} 'pasword'; did you mean "password"?`],
    [{ SIGN_IN: 'password,' }, `${ways} 'password,'.`],
    [{ SIGN_IN: 'true' }, `${ways} 'true'.`],
    [{ SIGN_IN: 'password', SESSION_HOURS: '0' }, "SESSION_HOURS must be a whole number from 1 to 720, not '0'."],
    [{ SIGN_IN: 'oidc' }, 'SIGN_IN=oidc needs OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL too.'],
    [{ ...oidc, PUBLIC_URL: '' }, 'SIGN_IN=oidc needs PUBLIC_URL too.'],
    [{ ...oidc, CONSOLE: 'false' }, 'SIGN_IN=oidc needs the console, where people begin; leave CONSOLE out.'],
    [{ ...oidc, OIDC_ISSUER: 'http://login.example.com' }, `${issuer} 'http://login.example.com'.`],
    [{ ...oidc, OIDC_ISSUER: 'https://a.b/?c' }, `${issuer} 'https://a.b/?c'.`],
    [{ ...oidc, OIDC_ISSUER: 'login' }, `${issuer} 'login'.`],
    [{ ...oidc, OIDC_CLIENT_SECRET: 's3cret-too-short'.slice(0, 15) }, secret],
    [{ PUBLIC_URL: 'https://a.b/c' }, "PUBLIC_URL must be an origin like 'https://a.b', not 'https://a.b/c'."],
    [{ PUBLIC_URL: 'a.b' }, "PUBLIC_URL must be an origin like 'https://work.example.com', not 'a.b'."],
  ])('refuse %j', (env, message) => {
    expect(() => readConfig(env)).toThrow(new ConfigurationFault(message));
  });

  it('stop the start where no descriptor says who signs in', async () => {
    const { url, drop } = await sqlite.open();
    const signIn = { ways: ['password'], sessionHours: 12, oidc: undefined } as const;
    const registry = loadRegistry(folders.garage, ruleSignatures);
    await expect(startService('garage', url, { registry, signIn, roles: everyone() })).rejects.toThrow(
      'SIGN_IN is set, and no descriptor says who signs in; write "signIn" into that of the acting members.',
    );
    await drop();
  });
});
