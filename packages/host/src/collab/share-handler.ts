/** The user's own way to share a copy: code in kedge's home that gets a redacted page and says where it is now. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFunctionProcess } from "@kedge/extend/code";
import { type Answer, redactionMark, refused, type SessionSummary, stripTerminalControls } from "@kedge/protocol";
import { zodModule } from "../code/zod-module.ts";
import type { HostDeskParts } from "../desk/host-desk.ts";

export type HandlerParts = Pick<HostDeskParts, "sessionFiles" | "home" | "project" | "commandEnvironment">;

/** In kedge's own home: a project must not decide where sessions are sent. */
const fileNames = ["share.ts", "share.js", "share.mjs"];
const handlerMsMax = 5 * 60_000;
const sentenceCharactersMax = 2_000;

export type PreparedPage = { readonly handler: string; readonly text: string; readonly secrets: number };

export function findShareHandler({ home }: Pick<HandlerParts, "home">): string | undefined {
  const paths = fileNames.map((name) => join(home.directory, name));
  return paths.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** Always redacted. Nothing of the handler runs. */
export async function preparePage(
  { sessionFiles }: HandlerParts,
  handler: string,
  summary: SessionSummary,
): Promise<Answer<PreparedPage>> {
  const whole = { isPlain: false, withoutToolOutput: false, withoutReasoning: false };
  const exported = await sessionFiles.export(summary, { format: "html", ...whole });
  if (!exported.ok) return exported;
  let text = "";
  for await (const piece of exported.pieces) text += piece;
  return { ok: true, value: { handler, text, secrets: text.match(redactionMark)?.length ?? 0 } };
}

/** The value is what the handler says: an address, or a sentence. There is no other way when it fails. */
export async function runShareHandler(
  { home, project, commandEnvironment }: HandlerParts,
  { handler, text }: PreparedPage,
): Promise<Answer<string>> {
  const { cwd, root, projectId } = project;
  const directory = mkdtempSync(join(tmpdir(), "kedge-share-"));
  const file = join(directory, "session.html");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const reply = await runFunctionProcess({
      ...{ file: handler, root: home.directory, value: file, timeoutMs: handlerMsMax },
      place: { cwd, root, projectId, hasUI: false },
      zodUrl: zodModule(),
      environment: commandEnvironment(),
      onLog: () => undefined,
    });
    if (!reply.ok) return failed(handler, reply.problem);
    const said = typeof reply.value === "string" ? stripTerminalControls(reply.value).trim() : "";
    if (said === "") return failed(handler, "it returned no address or message");
    return { ok: true, value: said.slice(0, sentenceCharactersMax) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function failed(handler: string, problem: string): Answer<never> {
  const why = stripTerminalControls(problem).slice(0, sentenceCharactersMax).replace(/\.$/, "");
  return refused(`The upload handler ${handler} failed: ${why}.`, "Nothing was uploaded to share.serverUrl instead.");
}
