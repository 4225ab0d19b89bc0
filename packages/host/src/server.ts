/** The server with what it needs of this machine. An entry of its own, because a plain run needs nothing of it. */
import type { Machine, Place } from "@kedge/server";
import type { Kedge } from "./assemble.ts";
import { whileLocked } from "./file-lock.ts";
import { isAlive, thisProcess } from "./identity.ts";
import { findProject } from "./project.ts";
import { replaceFile } from "./replace-file.ts";

export {
  addToken,
  findRunningServer,
  listTokens,
  parseTokenLifetime,
  removeToken,
  type StartedServer,
  startServer,
} from "@kedge/server";

export function machineOf(known: Pick<Machine, "home" | "environment" | "now">): Machine {
  return { ...known, findProject, whileLocked, replaceFile, thisProcess, isAlive };
}

export function placeOf({ engine, door, store, events, terminals, close }: Kedge): Place {
  return {
    ...{ door, store, events, terminals, close },
    subscribeAll: engine.subscribeAll,
    isOpen: (sessionId) => engine.openSessions().some(({ state }) => state.sessionId === sessionId),
    async refuseUnanswered(why) {
      for (const { state, refuseUnanswered } of engine.openSessions()) {
        for (const requestId of [...state.permissionRequests.keys()]) await refuseUnanswered(requestId, why);
      }
    },
  };
}
