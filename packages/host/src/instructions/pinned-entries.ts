/** Texts from the network as entries of the user's tier: only what was approved, exactly as it was approved. */
import { entryOfText, type InstructionEntry } from "@kedge/memory/instructions";
import { digestOf } from "./digest-of.ts";
import type { InstructionRecord } from "./instruction-record.ts";

export function pinnedEntries(
  urls: readonly string[],
  pinned: InstructionRecord["urls"],
  redact: (text: string) => string,
): readonly InstructionEntry[] {
  return urls.map((url) => {
    const approved = Object.hasOwn(pinned, url) ? pinned[url] : undefined;
    const name = { path: url, tier: "user", source: "remote", directory: "", form: "file" } as const;
    // A copy that is not what was pinned is nobody's word.
    if (approved === undefined || digestOf(approved.text) !== approved.sha256) {
      return entryOfText({ ...name, refused: `not approved; run kedge instructions approve ${url}` }, "", redact);
    }
    const entry = entryOfText(name, approved.text, redact);
    return { ...entry, notes: [...entry.notes, `approved ${approved.at.slice(0, "2000-01-01".length)}`] };
  });
}
