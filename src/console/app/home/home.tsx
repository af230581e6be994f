// The first page: the workspace at a glance, and all of its groups.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { groups } from '../model.ts';
import { groupAddress } from '../router.ts';

export function Home(): JSX.Element {
  useEffect(() => {
    document.title = 'Praxis';
  }, []);
  return (
    <section class="home" aria-labelledby="title">
      <h1 id="title">Workspace</h1>
      <div class="areas">
        {groups()
          .areas()
          .map(([area, members]) => (
            <section key={area} class="area">
              <h2>{area}</h2>
              <ul>
                {members.map(({ name, path, isSingle, title, plural, description }) => (
                  <li key={name}>
                    <a href={groupAddress(path)} title={description}>
                      {isSingle ? title : plural}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </div>
    </section>
  );
}
