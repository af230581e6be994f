// The frame around every place of the console, and which place is shown.
import type { JSX } from 'preact';
import { isMenuOpen } from './browser/layout.ts';
import { homeAddress, newsStep, steps } from './browser/router.ts';
import { HoverCard } from './frame/hover-card.tsx';
import { Help, isHelpOpen, useKeys } from './frame/keys.tsx';
import { isSearching, Search } from './frame/search.tsx';
import { Sidebar } from './frame/sidebar.tsx';
import { SignIn } from './frame/sign-in.tsx';
import { GroupPage } from './group-page.tsx';
import { Home } from './home/home.tsx';
import { commonMessages } from './messages/common.ts';
import { frameMessages, searchMessages } from './messages/frame.ts';
import { Lazy } from './parts/lazy.tsx';
import { Said } from './parts/say.tsx';
import { can, type GroupModel, grantedTo, groups } from './service/model.ts';
import { leave } from './service/people.ts';
import { token } from './service/session.ts';

export function App(): JSX.Element {
  if (token.value === undefined) return <SignIn />;
  return grantedTo.value === token.value ? <Workspace /> : <p class="quiet loading">{commonMessages.loading}</p>;
}

function Workspace(): JSX.Element {
  useKeys();
  return (
    <>
      <a class="skip" href="#content">
        {frameMessages.skip}
      </a>
      <TopBar />
      <div class={isMenuOpen.value ? 'workspace menu-open' : 'workspace'}>
        <Sidebar />
        <main id="content" class="main" tabIndex={-1}>
          <Place />
        </main>
      </div>
      <HoverCard />
      <Search />
      <Help />
      <Said />
    </>
  );
}

function TopBar(): JSX.Element {
  return (
    <header class="top">
      <div class="bar">
        <button
          type="button"
          class="menu-button"
          aria-label={frameMessages.groups}
          aria-expanded={isMenuOpen.value}
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}
        >
          ☰
        </button>
        <a class="brand" href={homeAddress}>
          <img src="/console/icon.svg" alt="" width="22" height="22" />
          {commonMessages.product}
        </a>
        <span class="spacer" />
        <button
          type="button"
          class="search-button"
          onClick={() => {
            isSearching.value = true;
          }}
        >
          {commonMessages.search} <kbd>{searchMessages.key}</kbd>
        </button>
        {groups().hasPages && (
          <a class="bar-link" href="/docs/groups">
            {frameMessages.docs}
          </a>
        )}
        <button
          type="button"
          class="bare help-button"
          aria-label={frameMessages.shortcuts}
          onClick={() => {
            isHelpOpen.value = true;
          }}
        >
          ?
        </button>
        <button type="button" class="bare" onClick={leave}>
          {frameMessages.signOut}
        </button>
      </div>
    </header>
  );
}

const loadNews = () => import('./past/news.tsx');
const loadRecord = () => import('./record/record-page.tsx');
// Whoever looks at a list goes on to a record: it is read once there is nothing else to do.
addEventListener('load', () => setTimeout(loadRecord, 2000));

/** What the address asks for. */
function Place(): JSX.Element {
  const [path, id, ...rest] = steps.value;
  if (path === undefined) return <Home />;
  if (path === newsStep && groups().isFollowed) return <Lazy load={loadNews} props={{}} />;
  const group = groups().at(path);
  if (group === undefined || rest.length > 0) return <Nowhere />;
  return <GroupPlace key={`${group.name}/${id ?? ''}`} group={group} id={id} />;
}

function GroupPlace({ group, id }: { readonly group: GroupModel; readonly id: string | undefined }): JSX.Element {
  if (id === 'new')
    return can(group, 'create') ? (
      <Lazy load={loadRecord} props={{ group, id: undefined, isNew: true }} />
    ) : (
      <Nowhere />
    );
  if (id !== undefined) return can(group, 'get') ? <Lazy load={loadRecord} props={{ group, id }} /> : <Nowhere />;
  if (can(group, 'list')) return <GroupPage group={group} />;
  if (!can(group, 'get')) return <Nowhere />;
  return <Lazy load={loadRecord} props={{ group, id: undefined }} />;
}

const Nowhere = (): JSX.Element => (
  <div class="empty">
    <h1>{frameMessages.notFound}</h1>
    <p>{frameMessages.notFoundHint}</p>
    <p>
      <a href={homeAddress}>{frameMessages.allGroups}</a>
    </p>
  </div>
);

/** Where the console could not begin. */
export const Broken = ({ error }: { readonly error: unknown }): JSX.Element => (
  <main class="sign-in" id="content">
    <div role="alert">
      <h1>{commonMessages.product}</h1>
      <p>{error instanceof Error ? error.message : String(error)}</p>
    </div>
  </main>
);
