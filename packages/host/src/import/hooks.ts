/** Takes hooks over with the name of the agent they were written for, so that they go on seeing its names. */
import { type DialectId, readHooks } from "@kedge/extend/hooks";
import { isJsonObject } from "@kedge/protocol";
import type { Findings, ImportLayer, Origin } from "./findings.ts";
import { noteUnsupported, takeSetting } from "./note-settings.ts";

export type HookPlace = {
  readonly dialect: DialectId;
  readonly layer: ImportLayer;
  readonly from: Origin;
  /** They are off there, all or some by their names. */
  readonly isSwitched?: boolean;
};

/** Beside the events: what turns hooks off, or some by their names. */
const otherKeys: ReadonlySet<string> = new Set(["enabled", "disabled", "notifications"]);
/** What Codex writes about hooks that were reviewed there. */
const stateKey = "state";

export function takeHooks(
  hooks: unknown,
  { dialect, layer, from, isSwitched = false }: HookPlace,
  findings: Findings,
): void {
  if (!isJsonObject(hooks)) {
    findings.notes.push({ ...from, kind: "broken", why: "must be an object with a list for each event" });
    return;
  }
  if (isSwitched || Object.keys(hooks).some((key) => otherKeys.has(key))) {
    const why = "are turned off, all or some of them; kedge reads them in place";
    findings.notes.push({ ...from, kind: "stays", why });
    return;
  }
  for (const [event, groups] of Object.entries(hooks)) {
    if (event === stateKey) continue;
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
