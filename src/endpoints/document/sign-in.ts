// How people sign in and out, in the OpenAPI document. The paths by which they come in stand beside the base.
import { fieldFault } from '../../problems/field-fault.ts';
import { problems } from '../../problems.ts';
import { toComponent } from '../routes/names.ts';
import { exampleId } from '../values/example-id.ts';
import type { Schema } from '../values/schema.ts';
import { problemAnswer, shared, successAnswer } from './answers.ts';

/** How people sign in. */
export type SignInWay = 'password' | 'oidc';

const beside = { servers: [{ url: '/', description: 'The service that this document is from' }] };

const form = (title: string, fields: Readonly<Record<string, string>>): Schema => ({
  title,
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: 'string', description }]),
  ),
  required: Object.keys(fields),
  additionalProperties: false,
});

const forms: Readonly<Record<SignInWay, readonly Schema[]>> = {
  password: [
    form('By a password', { name: 'What the member is known by, in any case', password: 'The password' }),
    form('By an invitation', {
      invite: 'What the link had',
      password: 'The password that is chosen: 12 characters at least',
    }),
  ],
  oidc: [
    form('By a code', {
      code: 'The code that the page was led back with',
      verifier: 'That of the challenge it began with',
    }),
  ],
};

const session: Schema = {
  title: 'SignInSession',
  description: 'A session that was just begun.',
  type: 'object',
  properties: {
    token: { type: 'string', description: 'Its access token: told this once' },
    expiresAt: { type: 'string', format: 'date-time', description: 'When it ends by itself' },
    member: {
      type: 'object',
      properties: { id: { type: 'string', format: 'uuid' } },
      required: ['id'],
      additionalProperties: false,
      description: 'Whose it is',
    },
  },
  required: ['token', 'expiresAt', 'member'],
  additionalProperties: false,
};

const signIn = (ways: readonly SignInWay[]): Schema => ({
  ...beside,
  post: {
    tags: ['Sign-in'],
    operationId: 'signIn',
    summary: 'Begin a session',
    description: `The token of the session is one like others, until it is signed out or its time is over.${ways.includes('oidc') ? ' Browsers get a code by `/sign-in/oidc?challenge=…`, with the SHA-256 of a verifier in base64url: it leads to the issuer of identities, and from there to the console.' : ''}`,
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: toComponent('SignInForm'),
          examples: Object.fromEntries(ways.map((way) => [way, { value: examples[way] }])),
        },
      },
    },
    responses: {
      200: successAnswer(
        'The session',
        {},
        {
          schema: toComponent('SignInSession'),
          examples: {
            begun: {
              value: {
                ...{ token: 'praxis_s_…', expiresAt: '2026-11-23T21:00:00.000Z', member: { id: exampleId('person') } },
              },
            },
          },
        },
      ),
      400: problemAnswer([
        problems.bodyInvalid([fieldFault('password', 'is required', 'required')]),
        problems.bodyMalformed(),
      ]),
      401: problemAnswer([
        ...(ways.includes('password') ? [problems.signInWrong(), problems.inviteWrong()] : []),
        ...(ways.includes('oidc') ? [problems.codeWrong()] : []),
      ]),
      413: shared('BodyTooLarge'),
      415: shared('UnsupportedMediaType'),
      429: problemAnswer([problems.tooManyAttempts(540)]),
      500: shared('Unforeseen'),
      503: shared('Unavailable'),
    },
  },
});

const examples: Readonly<Record<SignInWay, Schema>> = {
  password: { name: 'ada@example.com', password: 'correct horse battery' },
  oidc: { code: 'LxkS3…', verifier: 'dBjftJeZ4CVP…' },
};

const signOut: Schema = {
  post: {
    tags: ['Sign-in'],
    operationId: 'signOut',
    summary: 'End the session',
    description: 'The token is worth nothing from then on.',
    responses: {
      204: successAnswer('The session has ended', {}),
      401: shared('Unauthorized'),
      403: problemAnswer([problems.mayNot('sign-out')]),
      429: shared('TooManyRequests'),
      500: shared('Unforeseen'),
      503: shared('Unavailable'),
    },
  },
};

/** The paths by which people sign in these ways, and out. */
export const signInPaths = (ways: readonly SignInWay[]): Readonly<Record<string, Schema>> => ({
  '/sign-in': signIn(ways),
  '/sign-out': signOut,
});

export const signInSchemas = (ways: readonly SignInWay[]): Readonly<Record<string, Schema>> => {
  const oneOf = ways.flatMap((way) => forms[way]);
  return {
    SignInForm: { title: 'SignInForm', description: 'By what somebody signs in.', oneOf },
    SignInSession: session,
  };
};
