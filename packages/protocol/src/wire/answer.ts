/** What a command or a query is answered with: its value, or the failure that kept it from being carried out. */
import type { Failure } from "../failure.ts";

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };
