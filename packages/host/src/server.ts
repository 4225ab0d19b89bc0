/** The server with what it needs of this machine. An entry of its own, because a plain run needs nothing of it. */
import type { HostAccess, Place } from "@kedge/server";
import type { Kedge } from "./assembly/assemble.ts";
import { whileLocked } from "./machine/file-lock.ts";
import { isAlive, thisProcess } from "./machine/identity.ts";
import { findProject } from "./machine/project.ts";
import { replaceFile } from "./machine/replace-file.ts";

export {
  addToken,
  findRunningServer,
  type HostAccess,
  listTokens,
  parseTokenLifetime,
  removeToken,
  type StartedServer,
  startServer,
} from "@kedge/server";

export { openBrowser } from "./machine/open-browser.ts";

export function hostAccess(known: Pick<HostAccess, "home" | "environment" | "now">): HostAccess {
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
