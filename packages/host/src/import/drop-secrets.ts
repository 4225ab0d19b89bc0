/** The last look at what was found: a setting or rule with a key or token in it is dropped, and no note shows one. */

import { headOf } from "../configuration/rule-head.ts";
import type { Findings, ImportNote, Origin } from "./findings.ts";
import { noteSecret } from "./note-settings.ts";

type Redact = (text: string) => string;

export function dropSecrets(findings: Findings, redact: Redact): void {
  const isSecret = (text: string) => redact(text) !== text;
  const dropped = (from: Origin) => {
    noteSecret(findings, from);
    return false;
  };
  const settings = findings.settings.filter(({ value, from }) => !isSecret(JSON.stringify(value)) || dropped(from));
  const rules = findings.rules.filter(({ rule, layer, from }) => {
    const { permission, pattern, action } = rule;
    if (!isSecret(pattern)) return true;
    if (action !== "allow") findings.lostRules.push({ layer, permission, head: headOf(redact(pattern), permission) });
    return dropped(from);
  });
  findings.settings.splice(0, findings.settings.length, ...settings);
  findings.rules.splice(0, findings.rules.length, ...rules);
}

const keyCharactersMax = 200;

function shortened(key: string): string {
  return key.length > keyCharactersMax ? `${key.slice(0, keyCharactersMax)}…` : key;
}

export function redactNotes(notes: readonly ImportNote[], redact: Redact): readonly ImportNote[] {
  return notes.map((note) => ({
    ...note,
    why: redact(note.why),
    ...(note.key !== undefined && { key: shortened(redact(note.key)) }),
  }));
}
