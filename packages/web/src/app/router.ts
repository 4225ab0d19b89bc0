/** Addresses of the app: what each names, and how one gets from one to another without a new page. */
import { createStateStore, type StateStore } from "@kedge/tui/session";
import { views } from "../views/index.ts";

export type Address =
  /** The start, where a prompt begins a session. */
  | { readonly kind: "start" }
  | { readonly kind: "session"; readonly sessionId: string; readonly messageId?: string }
  | { readonly kind: "view"; readonly path: string; readonly rest: string; readonly hash: string }
  | { readonly kind: "unknown"; readonly path: string };

export const startAddress = "/app";

export function sessionAddress(sessionId: string, messageId?: string): string {
  const session = `${startAddress}/session/${encodeURIComponent(sessionId)}`;
  return messageId === undefined ? session : `${session}/${encodeURIComponent(messageId)}`;
}

export function viewAddress(path: string, rest = ""): string {
  const names = rest
    .split("/")
    .filter((name) => name !== "")
    .map(encodeURIComponent);
  return [startAddress, path, ...names].join("/");
}

/** An address of the page that no code can read is one of nothing. */
export function addressOf(pathname: string, hash: string): Address {
  const words = pathname
    .split("/")
    .filter((word) => word !== "")
    .map(decoded);
  const [app, first, ...others] = words;
  if (app === undefined || (app === "app" && first === undefined)) return { kind: "start" };
  if (app !== "app" || first === undefined || words.includes(undefined)) return { kind: "unknown", path: pathname };
  if (first === "session") {
    const [sessionId, messageId] = others;
    if (sessionId === undefined) return { kind: "start" };
    return { kind: "session", sessionId, ...(messageId !== undefined && { messageId }) };
  }
  if (!views.some(({ path }) => path === first)) return { kind: "unknown", path: pathname };
  return { kind: "view", path: first, rest: others.join("/"), hash: hash.replace(/^#/, "") };
}

function decoded(word: string): string | undefined {
  try {
    return decodeURIComponent(word);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

export interface Router {
  readonly address: StateStore<Address>;
  go(address: string): void;
  /** The same place under another name: going back does not lead to the old one. */
  replace(address: string): void;
}

/** Clicks on links of the app stay in the page; those with a modifier, and all others, are the browser's. */
export function createRouter({ window }: { readonly window: Window }): Router {
  const { history, location } = window;
  const read = () => addressOf(location.pathname, location.hash);
  const address = createStateStore(read());
  const look = () => address.update(read);
  window.addEventListener("popstate", look);
  window.document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.origin !== location.origin) return;
    if (!link.pathname.startsWith(startAddress)) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    look();
  });
  return {
    address,
    go(to) {
      history.pushState(null, "", to);
      look();
    },
    replace(to) {
      history.replaceState(null, "", to);
      look();
    },
  };
}
