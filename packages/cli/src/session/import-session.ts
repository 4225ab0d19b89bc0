/** `kedge session import <file>`: an export of ours, or a transcript of Claude Code, Codex or OpenCode. */

import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import { exitCodes } from "../exit-codes.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { importTexts } from "../texts/sessions.ts";
import { failed, type ManySessions } from "./session-action.ts";

export const importSession: ManySessions = async ({ started, flags, words: [path] }) => {
  if (path === undefined) {
    writeNotice(importTexts.needsFile);
    return exitCodes.usage;
  }
  const file = resolve(started.cwd, path);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    writeNotice(importTexts.unreadable(path));
    return exitCodes.error;
  }
  const model = flags.model ?? started.configuration.model ?? "";
  const imported = await started.kedge.sessionFiles.import(createReadStream(file), model);
  if (!imported.ok) return failed(imported.failure);
  const { sessionId, report } = imported;
  if (flags.json) {
    writeResult(`${JSON.stringify({ sessionId, ...report })}\n`);
    return exitCodes.success;
  }
  const { format, prompts, answers, calls, skipped, notes } = report;
  writeResult(`${sessionId}\n`);
  writeDiagnostic(importTexts.from(format, prompts, answers, calls));
  for (const { what, count } of skipped) writeDiagnostic(importTexts.skipped(what, count));
  for (const note of notes) writeDiagnostic(note);
  writeDiagnostic(importTexts.openIt(sessionId));
  return exitCodes.success;
};
