/** Recipe: a new command is a row and a handler. Route, scope, checks, document, dispatch and client follow from them. */
import type { CommandHandler } from "@kedge/engine";
import type { CommandOfRow, CommandRows, ValueOf } from "@kedge/protocol";
import { schema, words } from "@kedge/protocol/rows";

/** Belongs into `packages/protocol/src/rows/session-rows.ts`. */
export const pinRows = {
  "session.pin": {
    route: "PUT /session/:sessionId/pin",
    scope: "prompt",
    fields: { sessionId: words.sessionId, isPinned: schema.flag },
    answer: schema.object({ title: schema.text }),
    needsOpenSession: true,
  },
} as const satisfies CommandRows;

type PinRow = (typeof pinRows)["session.pin"];

export type PinCommand = CommandOfRow<"session.pin", PinRow>;

const mark = "* ";

/** Belongs into a table of `packages/engine/src/session/commands`. */
export const pinHandlers: { readonly "session.pin": CommandHandler<PinCommand, ValueOf<PinRow["answer"]>> } = {
  async "session.pin"({ journal }, { isPinned }) {
    const bare = journal.state.title.replace(mark, "");
    const title = isPinned ? `${mark}${bare}` : bare;
    await journal.emit({ type: "session.updated", title, titleSource: "user" });
    return { ok: true, value: { title } };
  },
};
