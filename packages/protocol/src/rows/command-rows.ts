/** The table of all commands: each is one row here, and one handler of its type in the engine or the host. */
import { contextRows } from "./context-rows.ts";
import { conversationRows } from "./conversation-rows.ts";
import { hostRows } from "./host-rows.ts";
import { permissionRows } from "./permission-rows.ts";
import { sessionRows } from "./session-rows.ts";

/** What the engine carries out. */
export const engineRows = { ...sessionRows, ...conversationRows, ...contextRows, ...permissionRows } as const;

export const commandRows = { ...engineRows, ...hostRows } as const;
