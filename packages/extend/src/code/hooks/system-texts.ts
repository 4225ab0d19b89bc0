/** What `experimental.chat.system.transform` adds, as a source of context: said once, and again only when it is another text. */
import type { ContextBlock, ContextSource } from "@kedge/protocol";
import type { UnitHooks } from "./unit-hooks.ts";

const charactersMax = 20_000;
const none: readonly ContextBlock[] = [];

export function createSystemTexts({ name }: UnitHooks, digest: (text: string) => string) {
  const bySession = new Map<string, readonly ContextBlock[]>();
  const source: ContextSource = {
    name,
    kind: "instruction",
    place: "turn",
    read: ({ state }) => bySession.get(state.sessionId) ?? none,
  };
  return {
    source,
    add(sessionId: string, texts: readonly string[]): void {
      const text = texts.join("\n\n").trim().slice(0, charactersMax);
      bySession.set(sessionId, text === "" ? none : [{ text, origin: name, hash: digest(text) }]);
    },
  };
}
