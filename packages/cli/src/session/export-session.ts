/** `kedge session export`: a session as one file, redacted unless told otherwise. */

import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { reasonOf, stripTerminalControls } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { exportTexts } from "../texts/sessions.ts";
import { failed, type OneSession } from "./session-action.ts";

/** To a path, or to standard output without one; only programs read what is not cleaned for a terminal. */
export const exportSession: OneSession = async ({ started, flags, session, rest: [path] }) => {
  const exported = await started.kedge.sessionFiles.export(session, {
    format: flags.format ?? formatOf(path),
    isPlain: flags.noRedact === true,
    withoutToolOutput: flags.withoutToolOutput === true,
    withoutReasoning: flags.withoutReasoning === true,
  });
  if (!exported.ok) return failed(exported.failure);
  if (path === undefined) {
    const shown = process.stdout.isTTY ? stripTerminalControls : (text: string) => text;
    for await (const piece of exported.pieces) if (writeResult(shown(piece)) === "reader-gone") break;
    return exitCodes.success;
  }
  const target = resolve(started.cwd, path);
  // Never over a file that is there: an export may hold what nobody else has.
  if (!flags.force && existsSync(target)) {
    writeNotice(exportTexts.exists(path));
    return exitCodes.error;
  }
  const file = opened(target, { isForced: flags.force === true });
  if (typeof file === "string") {
    writeNotice(exportTexts.notWritten(path, file));
    return exitCodes.error;
  }
  try {
    for await (const piece of exported.pieces) writeSync(file, piece);
  } finally {
    closeSync(file);
  }
  writeDiagnostic(exportTexts.saved(target));
  return exitCodes.success;
};

/** Or why it cannot be. */
function opened(path: string, { isForced }: { readonly isForced: boolean }): number | string {
  try {
    return openSync(path, isForced ? "w" : "wx", 0o600);
  } catch (error) {
    return reasonOf(error);
  }
}

/** The name of the file says what is wanted. */
function formatOf(path: string | undefined): "json" | "jsonl" | "md" | "html" | "dump" {
  const ending = path?.slice(path.lastIndexOf(".") + 1);
  switch (ending) {
    case "jsonl":
    case "md":
    case "html":
      return ending;
    case "txt":
      return "dump";
    default:
      return "json";
  }
}
