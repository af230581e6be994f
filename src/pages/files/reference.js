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

/** The document is read already. The library would write it out and read it again, as YAML, which takes a second. */
const documentPlugin = (described) => () => ({
  statePlugins: {
    spec: { wrapActions: { parseToJson: (_original, system) => () => system.specActions.updateJsonSpec(described) } },
  },
});

const referencesIn = (value, found) => {
  if (Array.isArray(value)) for (const item of value) referencesIn(item, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inside] of Object.entries(value)) {
      if (key === '$ref' && typeof inside === 'string') found.add(inside);
      else referencesIn(inside, found);
    }
};

/** A document with one path or one kind of components, and of the other components those that it needs. */
const partOf = (described, [place, name]) => {
  const paths = place === 'paths' ? { [name]: described.paths[name] } : {};
  const components = { securitySchemes: described.components?.securitySchemes ?? {} };
  if (place === 'components') components[name] = described.components?.[name] ?? {};
  const wanted = new Set();
  referencesIn([paths, components], wanted);
  // A set goes on with what is added to it meanwhile.
  for (const reference of wanted) {
    const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)/.exec(reference) ?? [];
    const component = described.components?.[kind]?.[name];
    if (component === undefined) continue;
    components[kind] = { ...components[kind], [name]: component };
    referencesIn(component, wanted);
  }
  return { ...described, paths, components };
};

/** Each operation that is opened makes the library work through the whole document, for seconds; a part gives the same. */
const partPlugin = () => ({
  afterLoad() {
    const whole = this.fn.resolveSubtree;
    this.fn.resolveSubtree = (described, path, options) =>
      whole(path.length > 1 ? partOf(described, path) : described, path, options);
  },
});

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

/** What the library leaves without a name, or out of reach of the keyboard. */
const mend = () => {
  const filter = holder.querySelector('.operation-filter-input:not([aria-label])');
  // Its own words speak of tags.
  filter?.setAttribute('placeholder', 'Filter operations by words, path or method');
  filter?.setAttribute('aria-label', 'Filter operations');
  for (const select of holder.querySelectorAll('.examples-select-element:not([aria-label])'))
    select.setAttribute('aria-label', 'Example');
  for (const block of holder.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0;
};

const keepMending = () => {
  mend();
  let isDue = false;
  const observer = new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      mend();
    });
  });
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
    spec: { openapi: described.openapi },
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    validatorUrl: null,
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    persistAuthorization: false,
    syntaxHighlight: { activated: true, theme: 'obsidian' },
    plugins: [documentPlugin(described), partPlugin, filterPlugin, tokenPlugin],
  });
  restoreToken(ui);
  keepMending();
  addEventListener('hashchange', () => {
    if (openNamed()) ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash));
  });
};

start().catch(() => {
  const words = holder.querySelector('.loading .words');
  if (words) words.textContent = 'The reference cannot be loaded now. Is the service running?';
});
