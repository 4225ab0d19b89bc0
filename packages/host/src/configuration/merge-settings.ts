/** Puts a stronger layer of settings over a weaker one. */
import { isJsonObject } from "@kedge/protocol";
import type { Settings } from "./setting-file.ts";

/** Objects merge deeply, everything else replaces, `null` deletes. */
export function mergeSettings(weaker: Settings, stronger: Settings): Settings {
  const merged: Record<string, unknown> = { ...weaker };
  for (const [name, value] of Object.entries(stronger)) {
    if (value === undefined) continue;
    const existing = merged[name];
    if (value === null) delete merged[name];
    else if (isJsonObject(value)) merged[name] = mergeSettings(isJsonObject(existing) ? existing : {}, value);
    else merged[name] = value;
  }
  return merged;
}
