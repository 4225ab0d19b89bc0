/** A provider that sends what an account has at the moment: rebuilt, behind the same face, when the credential is another. */
import type { ModelEvent } from "@kedge/protocol";
import type { Reached } from "../catalogue/resolve-provider.ts";
import type { RetryableProvider } from "../retry/retryable-provider.ts";
import type { WireRequest } from "../wire/request-body.ts";
import type { Account, AccountCredential } from "./account.ts";

type Made = { readonly credential: AccountCredential; readonly provider: RetryableProvider };

/** What the vendor offers for shortening conversations is left out: it would have to be known before the sign-in is. */
export function createAccountProvider(
  account: Account,
  make: (credential: AccountCredential) => Promise<RetryableProvider>,
): RetryableProvider {
  let made: Made | undefined;
  let usesFreshConnections = false;

  async function open(request: WireRequest, signal: AbortSignal): Promise<AsyncIterator<ModelEvent>> {
    const current = await account.current(signal);
    if (!current.ok) return failing({ type: "failed", failure: { ...current.failure, requestId: request.requestId } });
    if (made?.credential !== current.credential) {
      made = { credential: current.credential, provider: await make(current.credential) };
      if (usesFreshConnections) made.provider.useFreshConnections();
    }
    return made.provider.stream(request, signal)[Symbol.asyncIterator]();
  }

  return {
    stream: (request, signal) => delegate(() => open(request, signal)),
    useFreshConnections() {
      usesFreshConnections = true;
      made?.provider.useFreshConnections();
    },
  };
}

/** What the user wrote into the settings stays stronger than what the account brings. */
export function withCredential(reached: Reached, credential: AccountCredential): Reached {
  const { apiKey, baseURL, settings } = credential;
  const key = apiKey === undefined ? {} : { apiKey };
  switch (reached.kind) {
    case "wire": {
      const headers = { ...credential.headers, ...reached.headers };
      return { ...reached, ...key, ...(baseURL === undefined ? {} : { baseUrl: baseURL }), headers };
    }
    case "package": {
      const headers = { ...credential.headers, ...reached.settings.headers };
      const address = baseURL === undefined ? {} : { baseURL };
      return { ...reached, settings: { ...key, ...address, ...settings, ...reached.settings, headers } };
    }
  }
}

async function* failing(event: ModelEvent): AsyncGenerator<ModelEvent, undefined> {
  yield event;
}

/** An iterator by hand: a generator in between would cost every delta its own turn of the event loop. */
function delegate(open: () => Promise<AsyncIterator<ModelEvent>>): AsyncIterableIterator<ModelEvent> {
  let inner: AsyncIterator<ModelEvent> | undefined;
  const begin = async () => {
    inner = await open();
    return inner.next();
  };
  return {
    next: () => (inner === undefined ? begin() : inner.next()),
    async return() {
      await inner?.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
