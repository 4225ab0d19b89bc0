/** What a page gives to the mirror of a session: the state before there is one, and when changes are taken in. */
import { type ClientState, idleActivity } from "@kedge/tui/session";

export function emptyState(now: number): ClientState {
  return {
    ...{ connection: "starting", directory: "", messages: [], hasOlder: false, tails: new Map(), notices: [] },
    ...{ requests: [], tasks: [], activity: idleActivity(now), isFocused: true },
  };
}

const hiddenMs = 200;

/** With the next frame; a page that nobody sees gets none. */
export function soon(window: Window): (flush: () => void) => void {
  return (flush) => {
    if (window.document.hidden) window.setTimeout(flush, hiddenMs);
    else window.requestAnimationFrame(flush);
  };
}
