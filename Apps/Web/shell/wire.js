// Requests to the server, with a proof of possession on each (RFC 9449).

import { proofKey } from './vault.js';

const utf8 = new TextEncoder();

function base64url(bytes) {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const json64 = (value) => base64url(utf8.encode(JSON.stringify(value)));
const sha256 = async (text) => base64url(await crypto.subtle.digest('SHA-256', utf8.encode(text)));
const random64 = (count) => base64url(crypto.getRandomValues(new Uint8Array(count)));

export async function makeVerifier() {
  const verifier = random64(32);
  return { verifier, challenge: await sha256(verifier) };
}

// What the server wants to find in the next proof (RFC 9449, section 8).
let nonce = null;

// The same key has the same first part in every proof.
let header = null;

async function headerOf(publicKey) {
  if (header?.publicKey === publicKey) return header.text;
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const text = json64({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } });
  header = { publicKey, text };
  return text;
}

async function proof(call) {
  const { publicKey, privateKey } = await proofKey();
  const claims = {
    jti: random64(16),
    htm: call.method,
    // RFC 9449, section 4.2: without the query.
    htu: location.origin + call.path.split('?')[0],
    iat: call.issued_at,
  };
  if (nonce) claims.nonce = nonce;
  if (call.token) claims.ath = await sha256(call.token);
  const text = `${await headerOf(publicKey)}.${json64(claims)}`;
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' }, privateKey, utf8.encode(text));
  return `${text}.${base64url(signature)}`;
}

async function headers(call) {
  const fields = { accept: 'application/json' };
  if (call.form !== undefined) fields['content-type'] = 'application/x-www-form-urlencoded';
  if (call.json !== undefined) fields['content-type'] = 'application/json';
  if (call.idempotency_key) fields['idempotency-key'] = call.idempotency_key;
  if (call.if_match) fields['if-match'] = call.if_match;
  if (call.authorization !== 'none') fields.dpop = await proof(call);
  if (call.token) fields.authorization = `DPoP ${call.token}`;
  return fields;
}

// Time that a browser needs to begin a download.
const FILE_MILLISECONDS = 60_000;

// The browser puts the body of a success among the person's downloads. It is kept nowhere else.
async function save(response, name) {
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), FILE_MILLISECONDS);
  return null;
}

async function body(response, fileName) {
  try {
    if (fileName && response.ok) return await save(response, fileName);
    // Words of our own, such as those that say that the server is alive.
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/plain')) return await response.text();
    return await response.json();
  } catch (error) {
    // Not JSON is an answer too, an unexpected one; a connection that broke is none.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

// Ends after a time. The browser's own is newer than the oldest browsers that are served.
function timeLimit(milliseconds) {
  if (AbortSignal.timeout) return AbortSignal.timeout(milliseconds);
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), milliseconds);
  return controller.signal;
}

// Ends when one of these does, for the same reason; `AbortSignal.any` is newer still.
function either(...signals) {
  const controller = new AbortController();
  for (const signal of signals) {
    const stop = () => controller.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true, signal: controller.signal });
  }
  return controller.signal;
}

async function fetchOnce(call, signal) {
  const limit = timeLimit(call.timeout * 1000);
  try {
    const response = await fetch(call.path, {
      method: call.method,
      headers: await headers(call),
      body: call.form ?? call.json,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: either(signal, limit),
    });
    nonce = response.headers.get('dpop-nonce') ?? nonce;
    return { response, body: await body(response, call.file_name) };
  } catch (error) {
    // Some browsers name every end alike.
    throw limit.aborted ? limit.reason : error;
  }
}

// Answers with the members of an `answered` event.
export async function send(call, signal) {
  try {
    let { response, body: said } = await fetchOnce(call, signal);
    if ((said?.error ?? said?.code) === 'use_dpop_nonce') {
      ({ response, body: said } = await fetchOnce(call, signal));
    }
    const date = Date.parse(response.headers.get('date') ?? '') / 1000;
    return {
      status: response.status,
      body: said,
      ...(Number.isFinite(date) ? { date } : {}),
    };
  } catch (error) {
    return {
      failure: error.name === 'TimeoutError' ? 'timed_out' : 'unreachable',
      // Only `false` is sure: a browser may report a network that leads nowhere.
      network: navigator.onLine !== false,
    };
  }
}
