// Sign-in: by name and password, by an account elsewhere, by an invitation, or with an access token, as the service has it.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { commonMessages } from '../messages/common.ts';
import { signInMessages } from '../messages/frame.ts';
import { ApiProblem, tryToken } from '../service/api.ts';
import { groups } from '../service/model.ts';
import { arrival, beginElsewhere, byCode, byInvite, byPassword, type SignedIn } from '../service/people.ts';
import { refusal, signIn } from '../service/session.ts';

export function SignIn(): JSX.Element {
  const { signIn: ways } = groups();
  const [isByToken, setByToken] = useState(ways.length === 0);
  useEffect(() => {
    document.title = commonMessages.pageTitle(signInMessages.signIn);
  }, []);
  return (
    <main class="sign-in" id="content">
      <div>
        <h1>
          <img src="/console/icon.svg" alt="" width="34" height="34" /> {commonMessages.product}
        </h1>
        <Form isByToken={isByToken} />
        {ways.length > 0 && arrival.value === undefined && (
          <p class="quiet small">
            <button type="button" class="bare" onClick={() => setByToken(!isByToken)}>
              {isByToken ? signInMessages.asMember : signInMessages.byToken}
            </button>
          </p>
        )}
        {groups().hasPages && (
          <p class="quiet small">
            <a href="/docs/groups">{signInMessages.readDocs}</a> {signInMessages.readDocsRest}
          </p>
        )}
      </div>
    </main>
  );
}

function Form({ isByToken }: { readonly isByToken: boolean }): JSX.Element {
  const { signIn: ways } = groups();
  const come = arrival.value;
  if (come?.kind === 'code') return <TakenUp code={come.code} />;
  if (come?.kind === 'invite') return <ChoosePassword invite={come.invite} />;
  if (isByToken) return <ByToken />;
  return (
    <>
      {ways.includes('password') && <ByPassword />}
      {ways.includes('oidc') && <Elsewhere isOnly={!ways.includes('password')} />}
    </>
  );
}

/** What is sent, and where the fault is told. */
interface FormProps {
  readonly note: ComponentChildren;
  readonly children: ComponentChildren;
  readonly action: string;
  /** @throws ApiProblem with what is told. */
  submit(data: FormData): Promise<void>;
}

function Sending({ note, children, action, submit }: FormProps): JSX.Element {
  const [fault, setFault] = useState(refusal.value);
  const [isAsking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setAsking(true);
    try {
      await submit(new FormData(event.currentTarget as HTMLFormElement));
    } catch (error) {
      setFault(error instanceof ApiProblem ? [error.message, ...error.errors].at(-1) : String(error));
      setAsking(false);
      form.current?.querySelector<HTMLInputElement>('input[type=password]')?.select();
    }
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => void send(event)}
      aria-describedby={fault === undefined ? undefined : 'fault'}
    >
      <p class="quiet">{note}</p>
      {children}
      {fault !== undefined && (
        <p class="fault" id="fault" role="alert">
          {fault}
        </p>
      )}
      <Keep />
      <button type="submit" class="primary" disabled={isAsking}>
        {action}
      </button>
    </form>
  );
}

const Keep = (): JSX.Element => (
  <label class="check">
    <input type="checkbox" name="keep" /> {signInMessages.stay}
  </label>
);

const isKept = (data: FormData): boolean => data.get('keep') !== null;
const textOf = (data: FormData, name: string): string => String(data.get(name) ?? '');

function ByPassword(): JSX.Element {
  const submit = async (data: FormData): Promise<void> =>
    enter(await byPassword(textOf(data, 'name').trim(), textOf(data, 'password')), isKept(data));
  return (
    <Sending note={signInMessages.signInHere} action={signInMessages.signIn} submit={submit}>
      <label for="name">{signInMessages.emailOrName}</label>
      <input id="name" name="name" required autocomplete="username" spellcheck={false} autocapitalize="none" />
      <label for="password">{signInMessages.password}</label>
      <input id="password" name="password" type="password" required autocomplete="current-password" />
    </Sending>
  );
}

function Elsewhere({ isOnly }: { readonly isOnly: boolean }): JSX.Element {
  const [fault, setFault] = useState(isOnly ? refusal.value : undefined);
  const leave = (): void => {
    beginElsewhere().catch((error: unknown) => setFault(String(error)));
  };
  return (
    <>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <button type="button" class={isOnly ? 'primary' : ''} onClick={leave}>
        {signInMessages.singleSignOn}
      </button>
    </>
  );
}

/** Somebody has come back from elsewhere. */
function TakenUp({ code }: { readonly code: string }): JSX.Element {
  useEffect(() => {
    byCode(code).then(
      (signedIn) => enter(signedIn, false),
      (error: unknown) => {
        refusal.value = error instanceof ApiProblem ? error.message : String(error);
        arrival.value = undefined;
      },
    );
  }, [code]);
  return <p class="quiet">{signInMessages.signingIn}</p>;
}

function ChoosePassword({ invite }: { readonly invite: string }): JSX.Element {
  const submit = async (data: FormData): Promise<void> => {
    const password = textOf(data, 'password');
    if (password !== textOf(data, 'again')) throw new ApiProblem(400, signInMessages.passwordsDiffer);
    enter(await byInvite(invite, password), isKept(data));
  };
  return (
    <Sending note={signInMessages.choosePassword} action={signInMessages.setPassword} submit={submit}>
      <label for="password">{signInMessages.password}</label>
      <input id="password" name="password" type="password" required minLength={12} autocomplete="new-password" />
      <label for="again">{signInMessages.repeatPassword}</label>
      <input id="again" name="again" type="password" required minLength={12} autocomplete="new-password" />
    </Sending>
  );
}

function enter({ token }: SignedIn, isKept: boolean): void {
  arrival.value = undefined;
  signIn(token, isKept);
}

function ByToken(): JSX.Element {
  const submit = async (data: FormData): Promise<void> => {
    const given = textOf(data, 'token').trim();
    // Something that any workspace answers.
    await tryToken(given);
    signIn(given, isKept(data));
  };
  return (
    <>
      <Sending note={signInMessages.tokenNote} action={signInMessages.signIn} submit={submit}>
        <label for="token">{signInMessages.accessToken}</label>
        <input id="token" name="token" type="password" required autocomplete="current-password" spellcheck={false} />
      </Sending>
      <p class="quiet small">
        {signInMessages.tokenSource} <code>{signInMessages.tokenCommand}</code>.
      </p>
    </>
  );
}
