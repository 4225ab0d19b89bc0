/** The settings that count, one entry for each value, and the same as one object. */
import type { ConfigEntry, JsonObject } from "@kedge/protocol";
import { type ExplainedSetting, winnerOf } from "./explain-settings.ts";
import { parseSettingPath } from "./setting-path.ts";

export function countingEntries(settings: readonly ExplainedSetting[]): readonly ConfigEntry[] {
  return settings.flatMap((setting): readonly ConfigEntry[] => {
    const winner = winnerOf(setting);
    const counting = setting.isUnited ? setting.layers : winner === undefined ? [] : [winner];
    return counting
      .filter(({ value, isHidden }) => value !== null && isHidden !== true)
      .map(({ layer, value, from: file, line }) => ({
        key: setting.key,
        value,
        layer,
        ...(file !== undefined && layer !== "environment" && { file }),
        ...(line !== undefined && { line }),
      }));
  });
}

export function nestedSettings(entries: readonly ConfigEntry[]): JsonObject {
  const settings: { [name: string]: unknown } = {};
  for (const { key, value } of entries) {
    const path = parseSettingPath(key) ?? [key];
    let group = settings;
    for (const name of path.slice(0, -1)) {
      const below = group[name];
      const next = typeof below === "object" && below !== null ? (below as { [name: string]: unknown }) : {};
      group[name] = next;
      group = next;
    }
    group[path.at(-1) ?? key] = value;
  }
  // Only values of entries were put in, and those are JSON.
  return settings as JsonObject;
}
