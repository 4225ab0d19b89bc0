/** What becomes of hooks: kedge runs those of other agents where they are, with the names of their own agent. */
import { knownSettings } from "../configuration/known-settings.ts";
import type { Findings, Origin } from "./findings.ts";
import { noteUnsupported } from "./note-settings.ts";

export function takeHooks(findings: Findings, from: Origin): void {
  if (!Object.hasOwn(knownSettings, "hooks")) {
    noteUnsupported(findings, from);
    return;
  }
  findings.notes.push({ ...from, kind: "stays", why: "run where they are, with the names of their own agent" });
}
