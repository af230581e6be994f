// On all pages: the access token of the tab. Pages are whole without it.

/** Where the console keeps its own, too. */
const kept = 'praxis.token';

/** The token that this tab keeps; others listen for `praxis-token` on the document. */
const tokens = {
  get: () => sessionStorage.getItem(kept) ?? '',
  set: (text) => {
    if (text === '') sessionStorage.removeItem(kept);
    else sessionStorage.setItem(kept, text);
    document.dispatchEvent(new CustomEvent('praxis-token'));
  },
};

function startTokens() {
  const dialog = document.querySelector('dialog.ask');
  const input = dialog.querySelector('input');
  const warning = dialog.querySelector('.warning');
  const openers = () => document.querySelectorAll('[data-act="token"]');
  const show = () => {
    const has = tokens.get() !== '';
    const button = document.querySelector('.top .token');
    button.classList.toggle('has', has);
    button.textContent = has ? 'Token ✓' : 'Token';
    button.setAttribute('aria-label', has ? 'Access token: set' : 'Access token: not set');
    for (const opener of openers()) opener.hidden = has && opener !== button;
  };
  const open = () => {
    input.value = tokens.get();
    warning.textContent = '';
    dialog.showModal();
    input.select();
  };
  /** Kept when the service takes it. */
  const keep = async () => {
    const text = input.value.trim();
    if (text === '') return forget();
    // A header takes no more, and a token has no other letters.
    if (!/^[\x21-\x7e]+$/.test(text)) {
      warning.textContent = 'This is not an access token.';
      return;
    }
    try {
      const answer = await fetch('/metrics', { headers: { Authorization: `Bearer ${text}` }, method: 'HEAD' });
      if (answer.status === 401) {
        warning.textContent = 'The access token is not valid.';
        return;
      }
      tokens.set(text);
      dialog.close();
    } catch {
      warning.textContent = 'The service cannot be reached.';
    }
  };
  const forget = () => {
    tokens.set('');
    dialog.close();
  };
  const acts = { keep, forget, close: () => dialog.close() };
  dialog.addEventListener('click', (event) => acts[event.target.dataset.act]?.());
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void keep();
  });
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-act="token"]')) open();
  });
  document.addEventListener('praxis-token', show);
  document.addEventListener('praxis-ask-token', open);
  show();
}

for (const slot of document.querySelectorAll('[data-slot="origin"]')) slot.textContent = location.origin;
// The list of guides begins where the one that is read stands.
const shelf = document.querySelector('.shelf');
if (shelf) shelf.scrollTop = shelf.querySelector('[aria-current]').offsetTop - shelf.clientHeight / 2;
startTokens();
