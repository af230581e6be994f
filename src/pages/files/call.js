// The form of an operation: writes what would be sent into the snippets, and sends it. A write is only tried until its switch
// is turned, and is only tried again after it was done.

const kept = 'praxis.token';
const exampleCount = 20;

function startCall(panel) {
  const { method, path, list, ids, example: exampleId } = panel.dataset;
  const form = panel.querySelector('.send');
  const got = panel.querySelector('.got');
  const send = form.querySelector('[data-act="send"]');
  const warning = form.querySelector('.warning');
  const field = (name) => form.querySelector(`[name="${name}"]`);
  const [id, body, trial, ifMatch, key] = ['id', 'body', 'trial', 'ifMatch', 'key'].map(field);
  const isWrite = method !== 'GET';
  const token = () => sessionStorage.getItem(kept) ?? '';
  form.hidden = false;
  for (const button of panel.querySelectorAll('[data-act="copy"]')) button.hidden = false;

  const query = () => {
    const pairs = [...form.querySelectorAll('.query .row')].map((row) => [
      row.querySelector('select').value,
      row.querySelector('input').value,
    ]);
    return pairs.filter(([, value]) => value !== '');
  };
  const headers = () => [
    ...(ifMatch?.value ? [['If-Match', ifMatch.value]] : []),
    ...(key?.value ? [['Idempotency-Key', key.value]] : []),
    ...(trial?.checked ? [['Prefer', 'tx=rollback']] : []),
  ];
  const recordPath = () => path.replace('{id}', encodeURIComponent(id?.value ?? ''));
  const queryText = () => {
    const text = new URLSearchParams(query()).toString();
    return text === '' ? '' : `?${text}`;
  };

  const shell = (text) => text.replaceAll("'", "'\\''");
  const literal = (text) => {
    try {
      return literalOf(JSON.stringify(JSON.parse(text), null, 2));
    } catch {
      return text;
    }
  };
  const literalOf = (text) => text.replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');
  const script = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const scriptQuery = () => {
    const pairs = query().map(
      ([name, value]) => `${name}: ${/^(\d{1,9}|true|false)$/.test(value) ? value : script(value)}`,
    );
    return pairs.length === 0 ? '' : `{ ${pairs.join(', ')} }`;
  };
  const scriptOptions = () => {
    const options = [
      ...(ifMatch?.value ? [`ifMatch: ${script(ifMatch.value)}`] : []),
      ...(key?.value ? [`idempotencyKey: ${script(key.value)}`] : []),
      ...(trial?.checked ? ['dryRun: true'] : []),
    ];
    return options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  };
  const slots = {
    curl: {
      id: () => encodeURIComponent(id.value),
      query: () => shell(queryText()),
      headers: () =>
        headers()
          .map(([name, value]) => ` \\\n  -H '${shell(`${name}: ${value}`)}'`)
          .join(''),
      body: () => shell(body.value),
    },
    ts: {
      id: () => script(id.value).slice(1, -1),
      query: scriptQuery,
      options: scriptOptions,
      body: () => literal(body.value),
    },
  };
  const write = () => {
    for (const [language, texts] of Object.entries(slots))
      for (const [name, text] of Object.entries(texts))
        for (const slot of panel.querySelectorAll(`[data-language="${language}"] [data-slot="${name}"]`))
          slot.textContent = text();
    if (!isWrite) return;
    const isReal = !trial.checked;
    send.textContent = isReal ? 'Send request' : 'Send as dry run';
    form.classList.toggle('real', isReal);
    warning.textContent = isReal ? '“Send request” saves the changes.' : '';
  };

  const ask = (address, init = {}) =>
    fetch(address, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token()}` } });
  const read = async (address) => {
    const answer = await ask(address);
    return answer.ok ? answer.json() : undefined;
  };
  const nameOf = (record) => {
    const named = record.name ?? record.title ?? record.number ?? record.subject;
    return typeof named === 'string' || typeof named === 'number' ? String(named) : '';
  };

  /** Ids of this workspace in place of those of examples, which nobody has. */
  const fillIds = async () => {
    if (token() === '') return;
    const wanted = new URLSearchParams(location.hash.slice(1)).get('id');
    if (id && wanted) id.value = wanted;
    if (id && list !== '') {
      const page = await read(`${list}?limit=${exampleCount}`);
      const options = (page?.results ?? []).map((record) => {
        const option = document.createElement('option');
        option.value = record.id;
        option.label = nameOf(record);
        return option;
      });
      form.querySelector('datalist').replaceChildren(...options);
      if (id.value === exampleId && options.length > 0) id.value = options[0].value;
    }
    const texts = [...form.querySelectorAll('[data-act="fill"]')];
    for (const [made, address] of Object.entries(JSON.parse(ids))) {
      const isUsed = body.value.includes(made) || texts.some(({ dataset }) => dataset.text.includes(made));
      const there = isUsed ? (await read(`${address}?limit=1`))?.results?.[0]?.id : undefined;
      if (there === undefined) continue;
      body.value = body.value.replaceAll(made, there);
      for (const { dataset } of texts) dataset.text = dataset.text.replaceAll(made, there);
    }
    write();
  };

  const element = (name, className, ...content) => {
    const made = document.createElement(name);
    made.className = className;
    made.append(...content);
    return made;
  };
  const shownHeaders = ['ETag', 'Preference-Applied', 'Idempotent-Replayed', 'Retry-After', 'X-Request-Id'];
  const show = (answer, text, ms) => {
    let words = text;
    try {
      words = JSON.stringify(JSON.parse(text), null, 2);
    } catch {}
    const status = element('span', answer.ok ? 'status good' : 'status bad', String(answer.status));
    const tried = answer.headers.get('Preference-Applied') === 'tx=rollback';
    const line = element('p', 'line', status, ` in ${Math.round(ms)} ms${tried ? ' (dry run, nothing saved)' : ''}`);
    const named = shownHeaders.filter((name) => answer.headers.has(name));
    const heads = element(
      'dl',
      'heads',
      ...named.flatMap((name) => [element('dt', '', name), element('dd', '', answer.headers.get(name))]),
    );
    const pre = element('pre', '', element('code', '', words === '' ? 'No response body.' : words));
    pre.tabIndex = 0;
    got.replaceChildren(line, heads, pre);
  };
  const say = (text) => got.replaceChildren(element('p', 'warning', text));

  let isMigrating = false;
  const run = async () => {
    if (isMigrating) return;
    if (token() === '') return document.dispatchEvent(new CustomEvent('praxis-ask-token'));
    if (body) {
      try {
        JSON.parse(body.value);
      } catch (error) {
        return say(`The request body is not valid JSON: ${error.message}`);
      }
    }
    isMigrating = true;
    send.disabled = true;
    const from = performance.now();
    try {
      const address = `${recordPath()}${queryText()}`;
      const type = body ? { 'Content-Type': 'application/json' } : {};
      const init = { method, headers: { ...Object.fromEntries(headers()), ...type }, cache: 'no-store' };
      const answer = await ask(address, body ? { ...init, body: body.value } : init);
      show(answer, await answer.text(), performance.now() - from);
    } catch (error) {
      say(`No response: ${error.message}`);
    } finally {
      isMigrating = false;
      send.disabled = false;
      // What was meant once is not meant twice.
      if (trial) trial.checked = true;
      write();
    }
  };

  const randomKey = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const acts = {
    send: run,
    copy: async (button) => {
      const text = button.closest('.snippet').querySelector('code').textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(button.closest('.snippet').querySelector('code'));
        button.textContent = 'Selected';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    },
    fill: (button) => {
      body.value = button.dataset.text;
    },
    /** The fields of the body as the record has them; a reference goes by its id. */
    record: async () => {
      if (token() === '') return document.dispatchEvent(new CustomEvent('praxis-ask-token'));
      const record = await read(recordPath());
      if (record === undefined) return say('The record cannot be read. Check its id.');
      const shownOf = (name) => {
        if (Object.hasOwn(record, name)) return record[name];
        const behind = record[name.replace(/Ids?$/, '')] ?? record[name.replace(/Ids$/, 's')];
        return Array.isArray(behind) ? behind.map((one) => one.id) : (behind?.id ?? null);
      };
      let names;
      try {
        names = Object.keys(JSON.parse(body.value));
      } catch {
        return say('The request body is not valid JSON. Correct it, then insert the current values.');
      }
      body.value = JSON.stringify(Object.fromEntries(names.map((name) => [name, shownOf(name)])), null, 2);
    },
    parameter: () => {
      const rows = form.querySelector('.query');
      const row = rows.firstElementChild.cloneNode(true);
      const select = row.querySelector('select');
      select.selectedIndex = Math.min(rows.children.length, select.options.length - 1);
      row.querySelector('input').value = '';
      rows.append(row);
      row.querySelector('input').focus();
    },
    key: () => {
      key.value = randomKey();
    },
    tag: async () => {
      if (token() === '') return document.dispatchEvent(new CustomEvent('praxis-ask-token'));
      const answer = await ask(recordPath(), { cache: 'no-store' });
      if (answer.ok) ifMatch.value = answer.headers.get('ETag') ?? '';
      else show(answer, await answer.text(), 0);
    },
  };
  panel.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-act]');
    await acts[button?.dataset.act]?.(button);
    if (button) write();
  });
  form.addEventListener('input', write);
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.target.tagName === 'TEXTAREA' || event.target.tagName === 'BUTTON') return;
    event.preventDefault();
    // A write is for its button alone.
    if (!isWrite) void run();
  });
  document.addEventListener('praxis-token', fillIds);
  // Browsers bring back how a form was left.
  addEventListener('pageshow', () => {
    if (trial) trial.checked = true;
    write();
  });
  write();
  fillIds().catch(() => {});
}

for (const panel of document.querySelectorAll('.call')) startCall(panel);
