/** Proves that the origin of a key is named as the requests find it. */
import { openCatalogue } from "@kedge/models";
import { expect, test } from "vitest";
import type { Credentials, FoundKey } from "./credentials.ts";
import { createKeySource } from "./key-source.ts";

function sourceOf(model: string, found: FoundKey | undefined) {
  const asked: unknown[] = [];
  const find: Credentials["find"] = (provider, variables) => {
    asked.push({ provider, variables });
    return found;
  };
  const providers = { own: { apiKey: "sk-own" }, bare: { baseURL: "http://127.0.0.1:9/v1" } };
  const catalogue = openCatalogue();
  const account = (provider: string) => (provider === "gitlab" ? { method: "device", record: "{}" } : undefined);
  return { text: createKeySource({ providers, credentials: { find, account }, catalogue })(model), asked };
}

test("each place a key can come from", () => {
  const variable = { key: "sk-1", source: "environment", variable: "OPENAI_API_KEY" } as const;
  expect(sourceOf("openai/gpt", variable)).toEqual({
    text: "OPENAI_API_KEY",
    asked: [{ provider: "openai", variables: ["OPENAI_API_KEY"] }],
  });
  expect(sourceOf("own/m", variable)).toEqual({ text: "your settings", asked: [] });
  expect(sourceOf("bare/m", { key: "sk-1", source: "file" })).toEqual({
    text: "kedge auth login, in a file only you can read",
    asked: [{ provider: "bare", variables: [] }],
  });
  expect(sourceOf("bare/m", { key: "sk-1", source: "keyring" }).text).toBe("kedge auth login, in the system keyring");
});

test("an account that was signed in with", () => {
  expect(sourceOf("gitlab/duo", undefined).text).toBe("the account you signed in with");
});

test.each(["openai/gpt", "constructor/x", "unheard/of", "nonsense", ""])("no key for %j", (model) => {
  expect(sourceOf(model, undefined).text).toBe("none");
});
