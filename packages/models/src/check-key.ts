/** Asks a vendor with one cheap request whether it knows a key: for its list of models, which costs nothing. */
import type { WireName } from "./catalogue/catalogue-row.ts";
import type { Catalogue } from "./catalogue/open-catalogue.ts";
import type { ProviderSetting } from "./catalogue/provider-settings.ts";
import { type Credentials, resolveProvider } from "./catalogue/resolve-provider.ts";
import { getText } from "./http/get-text.ts";
import { type Network, routeTo } from "./http/network.ts";

export type KeyCheck =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly status: number }
  /** The vendor could not be asked, or has no such list; the key may be right. */
  | { readonly kind: "unchecked"; readonly reason: string };

export type KeyQuestion = {
  readonly provider: string;
  readonly key: string;
  readonly setting: ProviderSetting | undefined;
  readonly catalogue: Catalogue;
  readonly variable: NonNullable<Credentials["variable"]>;
  readonly network: Network;
  readonly signal: AbortSignal;
};

const answerBytesMax = 8 * 1024 * 1024;
const timeoutMs = 10_000;

/** No header may end early and begin another one. */
const sendable = /^[\x21-\x7e]+$/;

const authentication: { readonly [wire in WireName]: (key: string) => { readonly [name: string]: string } } = {
  "openai-chat": (key) => ({ authorization: `Bearer ${key}` }),
  "openai-responses": (key) => ({ authorization: `Bearer ${key}` }),
  anthropic: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  google: (key) => ({ "x-goog-api-key": key }),
};

export async function checkKey(question: KeyQuestion): Promise<KeyCheck> {
  const { provider, key, setting, catalogue, variable, network, signal } = question;
  const known = { name: provider, row: catalogue.provider(provider), setting };
  const resolved = resolveProvider(known, { keyOf: () => key, variable });
  if (!resolved.ok) return { kind: "unchecked", reason: resolved.failure.message };
  const { reached } = resolved;
  if (reached.kind === "package") return { kind: "unchecked", reason: `${reached.packageName} offers no way to check` };
  if (!sendable.test(key))
    return { kind: "unchecked", reason: "it contains characters that are not allowed in a header" };
  const url = new URL(`${reached.baseUrl.replace(/\/+$/, "")}/models`);
  const answer = await getText({
    url,
    headers: { ...reached.headers, ...authentication[reached.api](key) },
    bytesMax: answerBytesMax,
    timeoutMs,
    signal,
    route: routeTo(url, network),
  });
  if (answer.ok) return { kind: "accepted" };
  // Google says 400 where others say 401.
  const { status } = answer;
  if (status === 401 || status === 403 || (status === 400 && reached.api === "google"))
    return { kind: "rejected", status };
  return { kind: "unchecked", reason: answer.reason };
}
