/** What a user adds to requests beside what kedge sends: for every provider, and over that for one. */
import type { JsonObject } from "@kedge/protocol";
import type { CallExtra } from "../cache-break/prompt-state.ts";
import { mergeFields } from "../wire/extra-body.ts";

export type RequestExtras = {
  readonly headers?: { readonly [name: string]: string };
  readonly body?: JsonObject;
};

/** Names of headers are the same in upper and lower case. */
export function mergeExtras(general: RequestExtras, own: RequestExtras): RequestExtras {
  const taken = new Set(Object.keys(own.headers ?? {}).map((name) => name.toLowerCase()));
  const kept = Object.entries(general.headers ?? {}).filter(([name]) => !taken.has(name.toLowerCase()));
  const headers = { ...Object.fromEntries(kept), ...own.headers };
  const body = mergeFields(general.body ?? {}, own.body ?? {}) as JsonObject;
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(body).length > 0 && { body }),
  };
}

/** For comparing alone: values may be secrets, and what a lost cache is explained with is written to a file. */
export function comparableExtras({ headers, body }: RequestExtras): CallExtra {
  return {
    ...(headers !== undefined && { betaHeaders: comparable(headers) }),
    ...(body !== undefined && { extraBody: comparable(body) }),
  };
}

function comparable(fields: { readonly [name: string]: unknown }): string {
  const { hash } = process.getBuiltinModule("node:crypto");
  return `${Object.keys(fields).join(", ")} (${hash("sha256", JSON.stringify(fields)).slice(0, 16)})`;
}
