// The console: a user interface made from the descriptors. Served like the pages, without a token, and holds no record:
// it calls the API with the viewer's token.

import type { Pages } from '../pages/pages.ts';
import { createFiles } from '../pages/site/files.ts';
import { html } from '../pages/site/html.ts';
import { once, type Page, pageOf } from '../pages/site/page.ts';
import { problems } from '../problems.ts';
import type { Registry } from '../registry/model/model.ts';
import type { Bundle } from './bundle.ts';
import type { ConsoleModel } from './model.ts';

const root = '/console';
const filesAt = `${root}/files/`;
const iconAt = `${root}/icon.svg`;
const conditionsAt = `${root}/conditions/`;

// What makes all of it is loaded where it is asked for: a start need not wait.
const bundle = once(async () => (await import('./bundle.ts')).loadBundle());
const groups = () => import('./groups.ts');
const conditions = () => import('./conditions.ts');

export interface ConsoleOptions extends Pick<ConsoleModel, 'hasPages' | 'signIn'> {
  /** Whether there is a log of changes. */
  readonly hasLog: boolean;
}

/**
 * Makes what answers `/console` and all paths below it. Nothing is made before it is asked for, and all of it once.
 */
export function createConsole(registry: Registry, { hasPages, signIn, hasLog }: ConsoleOptions): Pages['find'] {
  const files = createFiles();
  const shell = once(async () => pageOf('text/html; charset=utf-8', Buffer.from(shellOf(await bundle()))));
  const pages = new Map<string, () => Promise<Page>>([
    [
      `${root}/model.json`,
      once(async () => json({ ...(await groups()).consoleModel(registry, hasLog), hasPages, signIn })),
    ],
    [iconAt, once(() => files.page('icon.svg'))],
    ...[...registry.resources.values()].map(
      (resource) =>
        [
          `${conditionsAt}${resource.name}.json`,
          once(async () => json((await conditions()).conditionsOf(resource))),
        ] as const,
    ),
  ]);
  return (path) => {
    if (path !== root && !path.startsWith(`${root}/`)) return undefined;
    const page = pages.get(path);
    if (page !== undefined) return page;
    if (path.startsWith(conditionsAt)) return undefined;
    // Every other path is a place in the console, which its script knows.
    return path.startsWith(filesAt) ? () => file(path.slice(filesAt.length)) : shell;
  };
}

const json = (value: unknown): Promise<Page> =>
  pageOf('application/json; charset=utf-8', Buffer.from(JSON.stringify(value)));

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Their names change with their content. @throws Problem path-unknown */
const served = new Map<string, () => Promise<Page>>();
async function file(name: string): Promise<Page> {
  const known = served.get(name);
  if (known !== undefined) return known();
  const found = (await bundle()).files.find((each) => each.name === name);
  if (found === undefined) throw problems.pathUnknown();
  const make = once(() => pageOf(types[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain', found.body, true));
  served.set(name, make);
  return make();
}

/** The one page: what is in it is made by the script, which is told apart from its data so that both load together. */
function shellOf({ script, imports, style, early }: Bundle): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Praxis</title>
<script async src="${filesAt}${early}"></script>
<link rel="icon" href="${iconAt}" type="image/svg+xml">
<link rel="stylesheet" href="${filesAt}${style}">
<link rel="preload" href="${root}/model.json" as="fetch" crossorigin="anonymous">
${imports.map((name) => html`<link rel="modulepreload" href="${filesAt}${name}">`)}
<script type="module" src="${filesAt}${script}"></script>
</head>
<body class="console">
<div id="app"></div>
<noscript><p class="page">The console needs JavaScript. The <a href="/docs">pages</a> do not.</p></noscript>
</body>
</html>
`.text;
}
