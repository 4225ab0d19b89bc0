/** The session as a file or on the clipboard: which format, which name, and the words around it. */

import type { ExportedFormat } from "@kedge/protocol";
import { failureText } from "../app/told-texts.ts";
import { sessionNoticeTexts } from "../texts/commands.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";

export const exportFormats: readonly ExportedFormat[] = ["md", "html", "json", "jsonl"];

const formatWords: ReadonlyMap<string, ExportedFormat> = new Map<string, ExportedFormat>([
  ...exportFormats.map((format) => [format, format] as const),
  ["markdown", "md"],
  ["htm", "html"],
]);

export type ExportWish =
  | { readonly ok: true; readonly path?: string; readonly format: ExportedFormat }
  | { readonly ok: false; readonly sentence: string };

/** A file, a format, both in this order, or nothing. The format stands for the ending where it is not said. */
export function parseExport(argument: string): ExportWish {
  const [, before = "", last = ""] = /^(?:([\s\S]*?)\s+)?(\S+)$/.exec(argument) ?? [];
  const said = formatWords.get(last.toLowerCase());
  const path = unquoted(said === undefined ? argument : before);
  if (path === "") return { ok: true, format: said ?? "md" };
  const ending = /[^/\\.]\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  const format = said ?? (ending === undefined ? "md" : formatWords.get(ending));
  if (format === undefined) {
    const sentence = sessionNoticeTexts.unknownFormat({ ending: ending ?? "", formats: exportFormats.join(", ") });
    return { ok: false, sentence };
  }
  return { ok: true, path: ending === undefined ? `${path}.${format}` : path, format };
}

function unquoted(path: string): string {
  return path.trim().replace(/^(["'])([\s\S]*)\1$/, "$2");
}

export async function exportSession(argument: string, context: CommandContext): Promise<void> {
  const wish = parseExport(argument);
  if (!wish.ok) {
    context.notice("warning", wish.sentence);
    return;
  }
  const exported = await readExport(wish.format, context);
  if (exported === undefined) return;
  const { path = `kedge-${exported.shortId}.${wish.format}` } = wish;
  context.notice("info", await context.writeFile(path, exported.text));
}

export async function bug(_: string, context: CommandContext): Promise<void> {
  const exported = await readExport("json", context);
  if (exported === undefined) return;
  const { ok, sentence } = await context.writeReport(`kedge-bug-${exported.shortId}.json`, exported.text);
  if (ok) context.notice("info", `${sentence} ${sessionNoticeTexts.bugSaved}`);
  else context.notice("error", sentence);
}

export async function dump(_: string, context: CommandContext): Promise<void> {
  const exported = await readExport("md", context);
  if (exported === undefined) return;
  context.copy(exported.text);
  context.notice("success", sessionNoticeTexts.copied);
}

/** Enough to tell the sessions of one directory apart. */
const shortIdCharacters = 8;

/** A server chooses the id, and it becomes part of the name of a file. */
function shortIdOf(sessionId: string): string {
  return sessionId.replaceAll(/[^\w-]/g, "").slice(-shortIdCharacters);
}

async function readExport(
  format: ExportedFormat,
  context: CommandContext,
): Promise<{ readonly text: string; readonly shortId: string } | undefined> {
  const session = sessionOf(context);
  if (session === undefined) return undefined;
  const answer = await context.client.ask<"session.export">({ type: "session.export", sessionId: session.id, format });
  if (answer.ok) return { text: answer.value.text, shortId: shortIdOf(session.id) };
  context.notice("error", failureText(answer.failure));
  return undefined;
}
