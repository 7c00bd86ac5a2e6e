// The app lock: a WebAuthn credential of this device. The user unlocks it with a fingerprint, a
// face or a PIN. Its PRF output wraps the key that seals the session (WebAuthn Level 3, section
// 10.1.4).
//
// Without PRF there is no app lock, because a prompt that gives no key can be bypassed
// (decision 8).

import { KEY_USES, seal, unseal } from './sealing.js';

const utf8 = new TextEncoder();
const randomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

// `failure` is one of the values that the core knows: cancelled, busy, changed, impossible.
export class LockFailure extends Error {
  constructor(failure, cause) {
    super(failure, { cause });
    this.failure = failure;
  }
}

export async function isLockSupported() {
  try {
    if (!await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()) return false;
    const capabilities = await PublicKeyCredential.getClientCapabilities?.();
    return capabilities?.['extension:prf'] === true;
  } catch {
    return false;
  }
}

function failureOf(error) {
  switch (error.name) {
    case 'NotAllowedError': case 'AbortError': return 'cancelled';
    case 'InvalidStateError': case 'OperationError': return 'busy';
    default: return 'impossible';
  }
}

async function prompt(act) {
  try {
    return await act();
  } catch (error) {
    throw new LockFailure(failureOf(error), error);
  }
}

async function wrappingKey(output, salt) {
  const secret = await crypto.subtle.importKey('raw', output, 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info: utf8.encode('fieldpass session key') },
    secret, { name: 'AES-GCM', length: 256 }, false, KEY_USES);
}

async function prfOutput(id, salt) {
  const assertion = await prompt(() => navigator.credentials.get({
    publicKey: {
      challenge: randomBytes(32),
      allowCredentials: [{ type: 'public-key', id, transports: ['internal'] }],
      userVerification: 'required',
      extensions: { prf: { eval: { first: salt } } },
    },
  }));
  const output = assertion.getClientExtensionResults().prf?.results?.first;
  if (!output) throw new LockFailure('changed');
  return output;
}

// Clears the bytes, so that they do not stay in memory.
async function importKey(bytes) {
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, KEY_USES);
  bytes.fill(0);
  return key;
}

// Returns the key, and the values from which `open` gets it again.
export async function create(name) {
  const salt = randomBytes(32);
  const credential = await prompt(() => navigator.credentials.create({
    publicKey: {
      challenge: randomBytes(32),
      rp: { name: 'Fieldpass' },
      user: { id: randomBytes(16), name, displayName: 'Fieldpass' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }, { type: 'public-key', alg: -257 }],
      authenticatorSelection: {
        authenticatorAttachment: 'platform', userVerification: 'required',
        residentKey: 'discouraged',
      },
      extensions: { prf: { eval: { first: salt } } },
    },
  }));
  const { prf } = credential.getClientExtensionResults();
  if (!prf?.enabled) throw new LockFailure('impossible');
  // Some authenticators give the PRF output only in a second prompt.
  const output = prf.results?.first ?? await prfOutput(credential.rawId, salt);
  const bytes = randomBytes(32);
  const wrapped = await seal(bytes, await wrappingKey(output, salt));
  return { id: credential.rawId, salt, wrapped, key: await importKey(bytes) };
}

export async function open({ id, salt, wrapped }) {
  const wrapping = await wrappingKey(await prfOutput(id, salt), salt);
  let bytes;
  try {
    bytes = await unseal(wrapped, wrapping);
  } catch (error) {
    throw new LockFailure('changed', error);
  }
  return importKey(bytes);
}
