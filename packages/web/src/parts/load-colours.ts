/** Loads the grammars that messages need, for a page that is written once and cannot wait for them. */
import type { MessageView, PartView } from "@kedge/protocol";
import { knownLanguage, languageOfPath } from "@kedge/tui/drawing";
import type { Look } from "./look.ts";

const fenceLabel = /^[ >\-*\d.]*(?:`{3,}|~{3,})[ \t]*([\w+#-]+)/gm;
const headerPath = /^\+\+\+ (?:b\/)?(\S+)/gm;

export async function loadColours(messages: readonly MessageView[], { highlight }: Look): Promise<void> {
  const languages = new Set(messages.flatMap(({ parts }) => parts.flatMap(languagesOf)));
  await Promise.all([...languages].map((language) => highlight.load(language)));
}

function languagesOf(part: PartView): readonly string[] {
  if (part.type === "text") return [...part.text.matchAll(fenceLabel)].flatMap(([, label = ""]) => known(label));
  if (part.type !== "tool" || part.state.status !== "completed") return [];
  const diff = part.state.metadata?.["diff"];
  const paths = typeof diff === "string" ? [...diff.matchAll(headerPath)].map(([, path = ""]) => path) : [];
  const title = part.state.title ?? "";
  return ["bash", "json", ...[...paths, title].map(languageOfPath).filter((language) => language !== "")];
}

function known(label: string): readonly string[] {
  const language = knownLanguage(label);
  return language === undefined ? [] : [language];
}
