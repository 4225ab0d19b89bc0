/** Puts a stronger layer of settings over a weaker one. */
import { isJsonObject } from "@kedge/protocol";
import type { Settings } from "./setting-file.ts";

const none: ReadonlySet<string> = new Set();

/** Objects merge deeply, everything else replaces, `null` deletes. Lists of the `united` names are put together. */
export function mergeSettings(weaker: Settings, stronger: Settings, united = none): Settings {
  const merged: Record<string, unknown> = { ...weaker };
  for (const [name, value] of Object.entries(stronger)) {
    // As a name it would give the merged object a prototype, and with it values that nobody checked.
    if (value === undefined || name === "__proto__") continue;
    const existing = merged[name];
    if (value === null) delete merged[name];
    else if (isJsonObject(value)) merged[name] = mergeSettings(isJsonObject(existing) ? existing : {}, value);
    else if (united.has(name) && Array.isArray(value) && Array.isArray(existing))
      merged[name] = [...existing, ...value];
    else merged[name] = value;
  }
  return merged;
}
