/** Takes hooks over with the name of the agent they were written for, so that they go on seeing its names. */
import { type DialectId, readHooks } from "@kedge/extend/hooks";
import { isJsonObject } from "@kedge/protocol";
import type { Findings, ImportLayer, Origin } from "./findings.ts";
import { noteUnsupported, takeSetting } from "./note-settings.ts";

export type HookPlace = { readonly dialect: DialectId; readonly layer: ImportLayer; readonly from: Origin };

/** Beside the events: what turns some hooks off by their names. */
const otherKeys: ReadonlySet<string> = new Set(["enabled", "disabled", "notifications"]);

export function takeHooks(hooks: unknown, { dialect, layer, from }: HookPlace, findings: Findings): void {
  if (!isJsonObject(hooks)) {
    findings.notes.push({ ...from, kind: "broken", why: "must be an object with a list for each event" });
    return;
  }
  if (Object.keys(hooks).some((key) => otherKeys.has(key))) {
    const why = "are enabled by name; kedge runs them in place";
    findings.notes.push({ ...from, kind: "stays", why });
    return;
  }
  for (const [event, groups] of Object.entries(hooks)) {
    const origin = { ...from, key: `${from.key}.${event}` };
    const usable = [groups].flat().filter((group) => {
      const read = readHooks([{ dialect, scope: "user", file: from.file, hooks: { [event]: [group] } }]);
      for (const { sentence } of read.problems) {
        noteUnsupported(findings, origin, undefined, sentence.slice(from.file.length + 2).replace(/\.$/, ""));
      }
      return read.problems.length === 0;
    });
    // Only objects can be used.
    const groupsOfDialect = usable.map((group) => ({ dialect, ...(group as object) }));
    if (usable.length > 0)
      takeSetting(findings, { layer, key: `hooks.${event}`, value: groupsOfDialect, from: origin });
  }
}
