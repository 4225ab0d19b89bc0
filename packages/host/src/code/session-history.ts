/** What was said in a session, for a tool that asks: texts alone, without results and without secrets. */
import type { Json, SessionState } from "@kedge/protocol";

const entriesMax = 200;
const charactersMax = 4_000;

export function sessionHistory({ items }: Readonly<SessionState>, redact: (text: string) => string): Json {
  const said = items.flatMap((item): readonly { readonly role: string; readonly text: string }[] => {
    if (item.type === "prompt") return [{ role: "user", text: item.text }];
    if (item.type !== "answer") return [];
    const text = item.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    return text === "" ? [] : [{ role: "assistant", text }];
  });
  return said.slice(-entriesMax).map(({ role, text }) => ({ role, text: redact(text).slice(0, charactersMax) }));
}
