/** `kedge://`: the documentation of this version. */
import { documents } from "./documents.ts";
import type { OwnScheme } from "./scheme.ts";

export function documentScheme(): OwnScheme {
  return {
    isForeign: false,
    list: async () => Object.entries(documents).map(([name, text]) => ({ name, about: titleOf(text()) })),
    text: async (name) => (Object.hasOwn(documents, name) ? documents[name]?.() : undefined),
  };
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "";
}
