// How requests on every wire name who sends them, and that they can be told not to.
import { type MockModel, startMockModel } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { wireNames } from "../src/catalogue/catalogue-row.ts";
import { createModels, type ModelsOptions } from "../src/create-models.ts";
import { makeProvider } from "../src/make-provider.ts";
import { sampleRequest } from "./sample-request.ts";

let mock: MockModel;
beforeEach(async () => {
  mock = await startMockModel({ script: () => ({ text: "Done." }) });
});
afterEach(() => mock.close());

const identity = { "user-agent": "kedge/1.2.3", "x-app": "cli" };
const names = ["user-agent", "x-app", "x-kedge-session-id"];

type Asked = { readonly options?: ModelsOptions; readonly headers?: { readonly [name: string]: string } };

async function headersOf(api: string, { options = { identity }, headers = {} }: Asked = {}, requestId = "r") {
  const settings = { mine: { api, baseURL: mock.baseUrl, apiKey: "key-of-the-test", headers } };
  const found = await createModels(settings, options).find("mine/mock-model");
  if (!found.ok) throw new Error(found.failure.message);
  const request = sampleRequest([{ role: "user", text: "hi" }], { model: found.model, requestId });
  for await (const event of found.provider.stream(request, new AbortController().signal)) {
    if (event.type === "failed") throw new Error(event.failure.message);
  }
  const sent = mock.requests.at(-1)?.headers ?? {};
  return Object.fromEntries(names.filter((name) => name in sent).map((name) => [name, sent[name]]));
}

test.each(wireNames)("%s names program, interface and session to a host of the user", async (api) => {
  expect(await headersOf(api)).toEqual({ ...identity, "x-kedge-session-id": "ses_1" });
  expect(await headersOf(api, { options: {} })).toEqual({});
});

test("a header of the user takes the place of ours", async () => {
  const own = { headers: { "User-Agent": "mine/1" } };
  expect(await headersOf("openai-chat", own)).toMatchObject({ "user-agent": "mine/1", "x-app": "cli" });
});

test("a question on the side has no session", async () => {
  expect(await headersOf("openai-chat", {}, "ses_1")).toEqual(identity);
});

test("a vendor at its own address does not learn the session", async () => {
  const reached = { kind: "wire", api: "openai-chat", baseUrl: mock.baseUrl } as const;
  const vendor = { name: "v", reached, keyName: undefined, cacheTtl: undefined, compaction: false };
  const provider = await makeProvider({ ...vendor, isUserHost: false }, { identity });
  const request = sampleRequest([{ role: "user", text: "hi" }]);
  for await (const event of provider.stream(request, new AbortController().signal))
    expect(event.type).not.toBe("failed");
  expect(mock.requests[0]?.headers).toMatchObject(identity);
  expect(mock.requests[0]?.headers).not.toHaveProperty("x-kedge-session-id");
});
