/** Rows of the commands that begin, end and change whole sessions. */
import { closed, flag, list, object, optional, text, words } from "../json/schema.ts";
import type { CommandRows } from "./row.ts";
import {
  entryId,
  fileChange,
  media,
  modelRef,
  nothing,
  ofSession,
  permissionMode,
  promptId,
  sessionId,
  shortId,
} from "./words.ts";

const undone = object({
  promptText: text,
  attachments: optional(list(media)),
  files: list(fileChange),
  /** What could not be restored, because no snapshot covered it. */
  uncovered: list(text),
});

const files = object({ files: list(fileChange) });
const only = optional(words("files"));
const evenIfChanged = optional(flag);

export const sessionRows = {
  /** Without a model, the one that the configuration names; without a mode, `default`. */
  "session.create": {
    route: "POST /session",
    scope: "prompt",
    fields: {
      mode: optional(permissionMode),
      model: optional(modelRef),
      /** Chosen by the client: `ses_` and 10 to 40 lower-case letters and digits. Refused if it was used before. */
      sessionId: optional(sessionId),
      /** An open session that the new one works for: interrupted and closed with it, and like it unless said otherwise. */
      parent: optional(closed({ sessionId, callId: optional(shortId) })),
    },
    answer: ofSession,
  },
  /** Opens a stored session: closes what a crash left open, then accepts prompts. */
  "session.resume": {
    route: "POST /session/:sessionId/resume",
    scope: "prompt",
    fields: {
      sessionId,
      /** Without it the session keeps its own mode, except `bypass` and `auto`, which must be chosen again. */
      mode: optional(permissionMode),
      model: optional(modelRef),
    },
    answer: object({
      sessionId: text,
      interrupted: flag,
      /** What has changed since, such as the session's model. */
      notice: optional(text),
    }),
  },
  /** Releases a session for other processes. Refused while it is working; nothing is lost. */
  "session.close": {
    route: "POST /session/:sessionId/close",
    scope: "prompt",
    fields: { sessionId },
    answer: nothing,
  },
  "session.update": {
    route: "PATCH /session/:sessionId",
    scope: "prompt",
    fields: { sessionId, title: optional(text), isArchived: optional(flag) },
    answer: nothing,
  },
  /** Removes everything that was said and done in it; only the bare chain is left. */
  "session.delete": {
    route: "DELETE /session/:sessionId",
    scope: "approve",
    fields: { sessionId },
    answer: nothing,
  },
  /** Copies the path to the entry, or to the leaf, into a new session. Files stay as they are. */
  "session.fork": {
    route: "POST /session/:sessionId/fork",
    scope: "prompt",
    fields: { sessionId, entryId: optional(entryId) },
    answer: ofSession,
  },
  /**
   * Writes a document that a new session continues with; a run under way is interrupted first. The answer names the new
   * session, or this one if nothing was written and the conversation was summarised instead.
   */
  "session.handoff": {
    route: "POST /session/:sessionId/handoff",
    scope: "prompt",
    fields: { sessionId, focus: optional(text) },
    answer: ofSession,
    needsOpenSession: true,
  },
  /**
   * The work so far in the form of a pull request. A model writes it once for each state of the conversation; where it
   * cannot, the changed files are named instead.
   */
  "session.summarise": {
    route: "POST /session/:sessionId/summary",
    scope: "prompt",
    fields: { sessionId },
    answer: object({ text, isWritten: flag }),
    needsOpenSession: true,
  },
  /**
   * Undoes the newest prompt, or everything since the one named: files and conversation, or only the files. Refused if
   * somebody else changed one of the files since, unless `evenIfChanged`.
   */
  "session.undo": {
    route: "POST /session/:sessionId/undo",
    scope: "prompt",
    fields: { sessionId, promptId: optional(promptId), only, evenIfChanged },
    answer: undone,
    needsOpenSession: true,
  },
  /** Refused like an undo if somebody else changed one of the files since. */
  "session.redo": {
    route: "POST /session/:sessionId/redo",
    scope: "prompt",
    fields: { sessionId, evenIfChanged },
    answer: files,
    needsOpenSession: true,
  },
  /** Like an undo to the prompt of a message, which must be named. */
  "session.revert": {
    route: "POST /session/:sessionId/revert",
    scope: "prompt",
    fields: { sessionId, messageId: entryId, only, evenIfChanged },
    answer: undone,
    needsOpenSession: true,
  },
  /** Redoes all undos that can still be redone. */
  "session.unrevert": {
    route: "POST /session/:sessionId/unrevert",
    scope: "prompt",
    fields: { sessionId, evenIfChanged },
    answer: files,
    needsOpenSession: true,
  },
} as const satisfies CommandRows;
