// A lock on the session's key: a credential of this device that its owner opens with a finger, a
// face or a PIN, and whose PRF output wraps the key (WebAuthn Level 3, section 10.1.4).
//
// Without PRF there is no lock: a prompt that frees no key could be walked round (decision 8).

const utf8 = new TextEncoder();
const random = (count) => crypto.getRandomValues(new Uint8Array(count));

// Says why in words the core knows.
export class LockFailure extends Error {
  constructor(failure, cause) {
    super(failure, { cause });
    this.failure = failure;
  }
}

export async function isPossible() {
  try {
    if (!await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()) return false;
    const able = await PublicKeyCredential.getClientCapabilities?.();
    return able?.['extension:prf'] === true;
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

async function ask(act) {
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
    secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

async function outputOf(id, salt) {
  const assertion = await ask(() => navigator.credentials.get({
    publicKey: {
      challenge: random(32),
      allowCredentials: [{ type: 'public-key', id, transports: ['internal'] }],
      userVerification: 'required',
      extensions: { prf: { eval: { first: salt } } },
    },
  }));
  const output = assertion.getClientExtensionResults().prf?.results?.first;
  if (!output) throw new LockFailure('changed');
  return output;
}

const asKey = (bytes) =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);

// Answers the key, and what to keep so that the same credential frees it again.
export async function make(name) {
  const salt = random(32);
  const credential = await ask(() => navigator.credentials.create({
    publicKey: {
      challenge: random(32),
      rp: { name: 'Fieldpass' },
      user: { id: random(16), name, displayName: 'Fieldpass' },
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
  // Some authenticators give the output at once, others only at the first opening.
  const output = prf.results?.first ?? await outputOf(credential.rawId, salt);
  const bytes = random(32);
  const iv = random(12);
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv }, await wrappingKey(output, salt), bytes);
  const key = await asKey(bytes);
  bytes.fill(0);
  return { id: credential.rawId, salt, wrapped: { iv, sealed }, key };
}

export async function open({ id, salt, wrapped }) {
  const wrapping = await wrappingKey(await outputOf(id, salt), salt);
  let bytes;
  try {
    bytes = new Uint8Array(await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: wrapped.iv }, wrapping, wrapped.sealed));
  } catch (error) {
    throw new LockFailure('changed', error);
  }
  const key = await asKey(bytes);
  bytes.fill(0);
  return key;
}
