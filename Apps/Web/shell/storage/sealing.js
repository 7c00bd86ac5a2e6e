// Encrypts and authenticates data with AES-GCM (NIST SP 800-38D).

const utf8 = new TextEncoder();
const NONCE_BYTES = 12;

export const KEY_USES = ['encrypt', 'decrypt'];

export const generateSealingKey = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, KEY_USES);

// The context says what the data is for. Data that was sealed for one context does not open in
// another.
const parameters = (iv, context) => (context === undefined ? { name: 'AES-GCM', iv }
  : { name: 'AES-GCM', iv, additionalData: utf8.encode(context) });

// `content` is bytes or a text.
export async function seal(content, key, context) {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const bytes = typeof content === 'string' ? utf8.encode(content) : content;
  const sealed = await crypto.subtle.encrypt(parameters(iv, context), key, bytes);
  return { iv, sealed };
}

export async function unseal({ iv, sealed }, key, context) {
  return new Uint8Array(await crypto.subtle.decrypt(parameters(iv, context), key, sealed));
}

export async function unsealText(record, key, context) {
  return new TextDecoder().decode(await unseal(record, key, context));
}
