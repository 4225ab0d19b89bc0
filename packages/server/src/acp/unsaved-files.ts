/** What the user mentions and has not saved yet: asked of the editor, since the disk does not have it. */
import { readFile, stat } from "node:fs/promises";
import type { AgentContext } from "@agentclientprotocol/sdk";

export type UnsavedParts = {
  readonly editor: Pick<AgentContext, "request">;
  readonly sessionId: string;
  /** Absolute; only files that a prompt names, never what a model asks for. */
  readonly paths: readonly string[];
};

/** More mentions than these are left to the disk. */
const mentionsMax = 20;
/** A larger text is no longer looked at as a whole by anybody. */
const textBytesMax = 256 * 1024;
/** An editor that does not answer must not keep a prompt waiting. */
const answerMsMax = 2_000;

/** One text for each file that reads otherwise in the editor, to go with the prompt. */
export async function unsavedTexts({ editor, sessionId, paths }: UnsavedParts): Promise<readonly string[]> {
  const named = [...new Set(paths)].slice(0, mentionsMax);
  const texts = await Promise.all(named.map((path) => unsavedText(editor, sessionId, path)));
  return texts.filter((text) => text !== undefined);
}

async function unsavedText(
  editor: UnsavedParts["editor"],
  sessionId: string,
  path: string,
): Promise<string | undefined> {
  const saved = await savedText(path);
  if (saved === undefined) return undefined;
  const shown = await shownText(editor, sessionId, path);
  if (shown === undefined || shown === saved || Buffer.byteLength(shown) > textBytesMax) return undefined;
  const note = "Not saved yet: this is what the user sees in the editor, and the file on disk is older.";
  return `<file path=${JSON.stringify(path)} state="unsaved">\n${note}\n\n${shown}\n</file>`;
}

/** Undefined for what is no file of a size worth comparing. */
async function savedText(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= textBytesMax ? await readFile(path, "utf8") : undefined;
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}

/** Undefined when the editor does not say; then the disk counts, as without an editor. */
async function shownText(editor: UnsavedParts["editor"], sessionId: string, path: string): Promise<string | undefined> {
  const cancellationSignal = AbortSignal.timeout(answerMsMax);
  const options = { cancellationSignal, stopWaitingOnCancel: true };
  try {
    return (await editor.request("fs/read_text_file", { sessionId, path }, options)).content;
  } catch (error) {
    // An error of the editor is its answer that it has no text for us.
    if (error instanceof Error && error.name === "RequestError") return undefined;
    throw error;
  }
}
