// Codes that the phone reads out of a text message by itself (WebOTP), where the browser can.

let waiting = null;

export function awaitCode(input) {
  if (!('OTPCredential' in globalThis)) return;
  forgetCode();
  const { signal } = (waiting = new AbortController());
  navigator.credentials.get({ otp: { transport: ['sms'] }, signal }).then((found) => {
    if (signal.aborted || !found?.code || !input.isConnected) return;
    input.value = found.code;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    // Another may be asked for on the same screen.
    awaitCode(input);
  }, () => {
    // Whoever leaves, or says no to their browser, types the code.
    if (waiting?.signal === signal) waiting = null;
  });
}

export function forgetCode() {
  waiting?.abort();
  waiting = null;
}
