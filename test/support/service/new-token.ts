// Tokens that a service takes at once: of those that others make it hears once a second.
import { createToken } from '../../../src/storage/tokens.ts';
import type { Context } from './praxis.ts';

type Made = Omit<Parameters<typeof createToken>[1], 'name'>;

export async function newToken({ workspace }: Pick<Context, 'workspace'>, made: Made = {}): Promise<string> {
  const { token } = await createToken(workspace.unit, { name: 'test', ...made });
  await workspace.tokens.refresh(workspace.unit);
  return token;
}
