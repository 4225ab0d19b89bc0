/** Has a text changed in the user's own editor. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "@kedge/host";
import { talkTexts } from "../texts/console.ts";

export type EditedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly sentence: string };

type Environment = { readonly [name: string]: string | undefined };

/** The terminal must be free while it runs. An editor that fails leaves the text as it was. */
export async function editText(text: string, environment: Environment): Promise<EditedText> {
  const editor = environment["VISUAL"] || environment["EDITOR"] || "vi";
  const folder = mkdtempSync(join(tmpdir(), "kedge-edit-"));
  const file = join(folder, "prompt.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const problem = await runEditor(editor, file, environment);
    if (problem !== undefined) return { ok: false, sentence: problem };
    return { ok: true, text: readFileSync(file, "utf8").replace(/\n$/, "") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The variable may hold arguments, as in `code --wait`, so it is the shell that reads it. */
function runEditor(editor: string, file: string, environment: Environment): Promise<string | undefined> {
  return new Promise((resolve) => {
    // An editor runs what its own plugins bring, which is no reason to hand them keys.
    const env = childEnvironment(environment, { scrub: true });
    const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
    child.on("error", ({ message }) => resolve(talkTexts.editorNotStarted(message)));
    child.on("close", (exitCode) => {
      if (exitCode === null) resolve(talkTexts.editorStopped(editor));
      else resolve(exitCode === 0 ? undefined : talkTexts.editorFailed(editor, exitCode));
    });
  });
}
