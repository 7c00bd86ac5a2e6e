// Fills in a code that the phone reads from a text message (WebOTP), if the browser supports it.

let waiting = null;

export function awaitCode(input) {
  if (!('OTPCredential' in globalThis)) return;
  stopAwaitingCode();
  const { signal } = (waiting = new AbortController());
  navigator.credentials.get({ otp: { transport: ['sms'] }, signal }).then((found) => {
    if (signal.aborted || !found?.code || !input.isConnected) return;
    input.value = found.code;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    // The user may request another code on the same screen.
    awaitCode(input);
  }, () => {
    // The user refused, or the request was aborted. The user can type the code.
    if (waiting?.signal === signal) waiting = null;
  });
}

export function stopAwaitingCode() {
  waiting?.abort();
  waiting = null;
}
