// Loads the API reference once the page is painted. `#listClients` opens an operation by its id.

const holder = document.getElementById('reference');
const kept = 'praxis-token';

/** Longest wait: pages that nobody sees are not painted. */
const patienceMs = 1000;
const painted = () =>
  new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, patienceMs);
  });

const loaded = (element) =>
  new Promise((resolve, reject) => {
    element.addEventListener('load', resolve);
    element.addEventListener('error', () => reject(new Error('a file of the reference cannot be loaded')));
    document.head.append(element);
  });
const styleSheet = (href) => loaded(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
const script = (src) => loaded(Object.assign(document.createElement('script'), { src }));

/** The library has a dark form of its own, behind a class. */
const followColours = () => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
};

/** Operation id → the library's own link, `#/tag/id`. */
const linksOf = (described) => {
  const links = new Map();
  for (const methods of Object.values(described.paths))
    for (const { operationId, tags = ['default'] } of Object.values(methods))
      if (operationId) links.set(operationId, `#/${encodeURIComponent(tags[0])}/${encodeURIComponent(operationId)}`);
  return links;
};

const wordsOf = (operation) =>
  [
    operation.get('path'),
    operation.get('method'),
    operation.get('id'),
    operation.getIn(['operation', 'summary']),
    operation.getIn(['operation', 'operationId']),
  ]
    .join(' ')
    .toLowerCase();

/** More are not opened by a search: a page of hundreds is slow, and no answer. */
const mostOpened = 60;

/** The filter looks for operations, not for tags alone, and opens what it finds. */
const filterPlugin = () => ({
  fn: {
    opsFilter: (tagged, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = (text) => words.every((word) => text.includes(word));
      return tagged
        .map((tag, name) =>
          fits(String(name).toLowerCase())
            ? tag
            : tag.set(
                'operations',
                tag.get('operations').filter((operation) => fits(wordsOf(operation))),
              ),
        )
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
  statePlugins: {
    layout: {
      wrapActions: {
        updateFilter: (original, system) => (phrase) => {
          const result = original(phrase);
          const tagged = phrase ? system.specSelectors.taggedOperations() : undefined;
          if (tagged && tagged.reduce((sum, tag) => sum + tag.get('operations').size, 0) <= mostOpened)
            for (const name of tagged.keySeq()) setShown(system, name);
          return result;
        },
      },
    },
  },
});

/** Opens a tag without changing the address, which the library's own action would. */
const setShown = (system, name) => {
  if (!system.layoutSelectors.isShown(['operations-tag', name], false))
    system.getStore().dispatch({ type: 'layout_show', payload: { thing: ['operations-tag', name], shown: true } });
};

/** The token is kept for this tab alone, until it is closed. */
const tokenPlugin = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (original) => (given) => {
          sessionStorage.setItem(kept, JSON.stringify(Object.entries(given).map(([name, { value }]) => [name, value])));
          return original(given);
        },
        logout: (original) => (names) => {
          sessionStorage.removeItem(kept);
          return original(names);
        },
      },
    },
  },
});

const restoreToken = (ui) => {
  try {
    for (const [name, value] of JSON.parse(sessionStorage.getItem(kept) ?? '[]'))
      if (typeof value === 'string') ui.preauthorizeApiKey(name, value);
  } catch {
    sessionStorage.removeItem(kept);
  }
};

/** The library's own words speak of tags. */
const nameFilter = () => {
  const name = () => {
    const filter = holder.querySelector('.operation-filter-input');
    filter?.setAttribute('placeholder', 'Filter operations by words, path or method');
    filter?.setAttribute('aria-label', 'Filter operations');
    return filter !== null;
  };
  if (name()) return;
  const observer = new MutationObserver(() => name() && observer.disconnect());
  observer.observe(holder, { childList: true, subtree: true });
};

const start = async () => {
  await painted();
  followColours();
  const [described] = await Promise.all([
    fetch(holder.dataset.document).then((answer) => answer.json()),
    styleSheet(holder.dataset.style),
    script(holder.dataset.script),
  ]);
  const links = linksOf(described);
  const openNamed = () => {
    const link = links.get(decodeURIComponent(location.hash.slice(1)));
    if (link !== undefined) history.replaceState(null, '', link);
    return link !== undefined;
  };
  openNamed();
  const ui = SwaggerUIBundle({
    domNode: holder,
    spec: described,
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    validatorUrl: null,
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    persistAuthorization: false,
    syntaxHighlight: { activated: true },
    plugins: [filterPlugin, tokenPlugin],
  });
  restoreToken(ui);
  nameFilter();
  addEventListener('hashchange', () => {
    if (openNamed()) ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash));
  });
};

start().catch(() => {
  const words = holder.querySelector('.loading .words');
  if (words) words.textContent = 'The reference cannot be loaded now. Is the service running?';
});
