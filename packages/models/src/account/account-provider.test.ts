/** Proves that requests carry what the account has at the moment, and that the user's own settings stay stronger. */
import type { ModelEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import { sampleRequest } from "../../test/sample-request.ts";
import type { RetryableProvider } from "../retry/retryable-provider.ts";
import type { Account, AccountCredential } from "./account.ts";
import { createAccountProvider, withCredential } from "./account-provider.ts";

const never = new AbortController().signal;
const request = sampleRequest([]);

async function eventsOf(provider: RetryableProvider): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, never)) events.push(event);
  return events;
}

function rig(account: Account) {
  const made: string[] = [];
  const fresh: string[] = [];
  const provider = createAccountProvider(account, async ({ apiKey = "" }) => {
    made.push(apiKey);
    return {
      async *stream() {
        yield { type: "notice", text: apiKey };
        yield { type: "notice", text: "more" };
      },
      useFreshConnections: () => void fresh.push(apiKey),
    };
  });
  return { provider, made, fresh };
}

test("the provider behind it is made once for each credential", async () => {
  let credential: AccountCredential = { apiKey: "one" };
  const { provider, made, fresh } = rig({
    current: async () => ({ ok: true, credential }),
    renew: async () => false,
  });
  expect(await eventsOf(provider)).toEqual([
    { type: "notice", text: "one" },
    { type: "notice", text: "more" },
  ]);
  await eventsOf(provider);
  provider.useFreshConnections();
  credential = { apiKey: "two" };
  await eventsOf(provider);
  expect(made).toEqual(["one", "two"]);
  expect(fresh).toEqual(["one", "two"]);
});

test("an account that cannot be used is the failure of the request", async () => {
  const failure = { code: "token_revoked", message: "Revoked.", retryable: false } as const;
  const { provider, made } = rig({ current: async () => ({ ok: false, failure }), renew: async () => false });
  expect(await eventsOf(provider)).toEqual([{ type: "failed", failure: { ...failure, requestId: request.requestId } }]);
  expect(made).toEqual([]);
});

test("headers and options of the settings stay stronger than those of the account", () => {
  const credential = { apiKey: "token", headers: { a: "account", b: "account" }, baseURL: "https://account.example" };
  const wire = {
    kind: "wire",
    api: "openai-chat",
    baseUrl: "https://row.example",
    headers: { b: "settings" },
  } as const;
  expect(withCredential(wire, credential)).toEqual({
    ...wire,
    apiKey: "token",
    baseUrl: "https://account.example",
    headers: { a: "account", b: "settings" },
  });
  const packed = { kind: "package", packageName: "p", settings: { region: "mine" } } as const;
  expect(withCredential(packed, { settings: { region: "theirs", accessKeyId: "id" } })).toEqual({
    ...packed,
    settings: { region: "mine", accessKeyId: "id", headers: {} },
  });
});
