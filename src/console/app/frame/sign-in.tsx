// Sign-in with an access token.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiProblem, tryToken } from '../service/api.ts';
import { can, groups } from '../service/model.ts';
import { refusal, signIn } from '../service/session.ts';

export function SignIn(): JSX.Element {
  const [fault, setFault] = useState(refusal.value);
  const [isAsking, setAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in – Praxis';
    input.current?.focus();
  }, []);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const given = String(data.get('token') ?? '').trim();
    setAsking(true);
    try {
      // Something that any workspace answers.
      const { all } = groups();
      const asked = all.find(({ isWorkspace }) => isWorkspace) ?? all.find((group) => can(group, 'list'));
      await tryToken(given, asked?.path ?? '');
      signIn(given, data.get('keep') !== null);
    } catch (error) {
      setFault(error instanceof ApiProblem ? error.message : String(error));
      setAsking(false);
      input.current?.select();
    }
  };
  return (
    <main class="sign-in" id="content">
      <form onSubmit={(event) => void submit(event)}>
        <h1>
          <img src="/console/icon.svg" alt="" width="34" height="34" /> Praxis
        </h1>
        <p class="quiet">
          The records of this workspace. Everything you do here goes through its API, with your token.
        </p>
        <label for="token">Access token</label>
        <input
          id="token"
          name="token"
          type="password"
          ref={input}
          required
          autocomplete="current-password"
          spellcheck={false}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : 'token-fault'}
        />
        {fault !== undefined && (
          <p class="fault" id="token-fault" role="alert">
            {fault}
          </p>
        )}
        <label class="check">
          <input type="checkbox" name="keep" /> Keep it in this browser, not only in this tab
        </label>
        <button type="submit" class="primary" disabled={isAsking}>
          Sign in
        </button>
        <p class="quiet small">
          The first one was printed when the service first started; others are made with{' '}
          <code>praxis token create</code>.
          {groups().hasPages && (
            <>
              {' '}
              About the groups one can <a href="/docs/groups">read</a> without one.
            </>
          )}
        </p>
      </form>
    </main>
  );
}
