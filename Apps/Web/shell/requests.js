// Sends requests to the server, each with a DPoP proof (RFC 9449).

import { proofKey } from './storage/database.js';
import { hasPhoto, photoOwner, takePhoto } from './storage/photos.js';

const utf8 = new TextEncoder();

function base64url(bytes) {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const base64urlJSON = (value) => base64url(utf8.encode(JSON.stringify(value)));
const sha256 = async (text) => base64url(await crypto.subtle.digest('SHA-256', utf8.encode(text)));
const randomText = (count) => base64url(crypto.getRandomValues(new Uint8Array(count)));

export async function makeVerifier() {
  const verifier = randomText(32);
  return { verifier, challenge: await sha256(verifier) };
}

// The nonce that the server requires in the next proof (RFC 9449, section 8).
let nonce = null;

// The header of a proof depends only on the key, so it is computed once.
let cachedHeader = null;

async function proofHeader(publicKey) {
  if (cachedHeader?.publicKey === publicKey) return cachedHeader.text;
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const text = base64urlJSON({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } });
  cachedHeader = { publicKey, text };
  return text;
}

async function makeProof(request) {
  const { publicKey, privateKey } = await proofKey();
  const claims = {
    jti: randomText(16),
    htm: request.method,
    // Without the query (RFC 9449, section 4.2).
    htu: location.origin + request.path.split('?')[0],
    iat: request.issued_at,
  };
  if (nonce) claims.nonce = nonce;
  if (request.token) claims.ath = await sha256(request.token);
  const text = `${await proofHeader(publicKey)}.${base64urlJSON(claims)}`;
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' }, privateKey, utf8.encode(text));
  return `${text}.${base64url(signature)}`;
}

async function makeHeaders(request) {
  const fields = { accept: 'application/json' };
  if (request.form !== undefined) fields['content-type'] = 'application/x-www-form-urlencoded';
  if (request.json !== undefined) fields['content-type'] = 'application/json';
  if (request.idempotency_key) fields['idempotency-key'] = request.idempotency_key;
  if (request.if_match) fields['if-match'] = request.if_match;
  if (request.authorization !== 'none') fields.dpop = await makeProof(request);
  if (request.token) fields.authorization = `DPoP ${request.token}`;
  return fields;
}

// Until then the URL stays valid, so that the browser can start the download.
const DOWNLOAD_MILLISECONDS = 60_000;

// Saves the body as a download. The app stores no other copy.
async function download(response, name) {
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_MILLISECONDS);
  return null;
}

async function readBody(response, request, photo) {
  try {
    if (request.file_name && response.ok) return await download(response, request.file_name);
    if (photo && response.ok) {
      await takePhoto(response, photo.digest, photo.isStored, photo.owner);
      return null;
    }
    // Plain text such as the answer of `/livez`.
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/plain')) return await response.text();
    return await response.json();
  } catch (error) {
    // A body that is not JSON is an answer. A broken connection is not.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

// Aborts after a time. The oldest supported browsers do not have `AbortSignal.timeout`.
function timeoutSignal(milliseconds) {
  if (AbortSignal.timeout) return AbortSignal.timeout(milliseconds);
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), milliseconds);
  return controller.signal;
}

// Aborts when one of the signals aborts, with the same reason. The oldest supported browsers do not
// have `AbortSignal.any`.
function anySignal(...signals) {
  const controller = new AbortController();
  for (const signal of signals) {
    const stop = () => controller.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true, signal: controller.signal });
  }
  return controller.signal;
}

async function fetchOnce(request, signal, photo) {
  const timeout = timeoutSignal(request.timeout * 1000);
  try {
    const response = await fetch(request.path, {
      method: request.method,
      headers: await makeHeaders(request),
      body: request.form ?? request.json,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: anySignal(signal, timeout),
    });
    nonce = response.headers.get('dpop-nonce') ?? nonce;
    return { response, body: await readBody(response, request, photo) };
  } catch (error) {
    // Some browsers give every abort the same name, so the reason comes from the signal.
    throw timeout.aborted ? timeout.reason : error;
  }
}

// The photo that the body of the answer is, or null.
async function photoOf(request) {
  const digest = request.stored_photo ?? request.photo;
  if (!digest) return null;
  return { digest, isStored: Boolean(request.stored_photo), owner: await photoOwner() };
}

// Returns the members of the `answered` event.
export async function send(request, signal) {
  const photo = await photoOf(request);
  if (photo && await hasPhoto(photo.digest, photo.isStored)) return { on_device: true };
  try {
    let { response, body } = await fetchOnce(request, signal, photo);
    if ((body?.error ?? body?.code) === 'use_dpop_nonce') {
      ({ response, body } = await fetchOnce(request, signal, photo));
    }
    const date = Date.parse(response.headers.get('date') ?? '') / 1000;
    return {
      status: response.status,
      body,
      ...(Number.isFinite(date) ? { date } : {}),
    };
  } catch (error) {
    return {
      failure: error.name === 'TimeoutError' ? 'timed_out' : 'unreachable',
      // Only `false` is reliable: a browser can report a network that does not reach the internet.
      network: navigator.onLine !== false,
    };
  }
}
