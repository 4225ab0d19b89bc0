/** A terminal emulator on the connection of one terminal: bytes both ways, and its size told to the program. */
import * as texts from "../texts/views/terminal.ts";

export type ScreenParts = {
  readonly place: HTMLElement;
  readonly ptyId: string;
  readonly signal: AbortSignal;
  /** The state of the connection, in a few words. */
  readonly tell: (text: string) => void;
  readonly onEnd: () => void;
};

export async function connectScreen({ place, ptyId, signal, tell, onEnd }: ScreenParts): Promise<void> {
  const [{ Terminal }, { FitAddon }, { default: style }] = await Promise.all([
    import("@xterm/xterm"),
    import("@xterm/addon-fit"),
    import("@xterm/xterm/css/xterm.css?inline"),
  ]);
  if (signal.aborted) return;
  addStyle(style);
  const terminal = new Terminal({
    ...{ fontSize: 13, screenReaderMode: true, cursorBlink: false },
    theme: themeOf(place),
    documentOverride: withConstructedStyles(document),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(place);
  fit.fit();
  const socket = new WebSocket(
    `${location.origin.replace(/^http/, "ws")}/pty/${encodeURIComponent(ptyId)}/connect?cursor=0`,
  );
  socket.binaryType = "arraybuffer";
  const encoder = new TextEncoder();
  const send = (data: string | Uint8Array<ArrayBuffer>) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  const tellSize = () => send(JSON.stringify({ type: "resize", columns: terminal.cols, rows: terminal.rows }));
  socket.onopen = () => {
    tell(texts.connected);
    tellSize();
    terminal.focus();
  };
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) terminal.write(new Uint8Array(data));
    else if (typeof data === "string") readNote(data, tell, onEnd);
  };
  socket.onclose = ({ reason }) => tell(reason === "" ? texts.lost : reason);
  terminal.onData((keys) => send(encoder.encode(keys)));
  terminal.onBinary((keys) => send(Uint8Array.from(keys, (sign) => sign.charCodeAt(0))));
  terminal.onResize(tellSize);
  const sizes = new ResizeObserver(() => fit.fit());
  sizes.observe(place);
  signal.addEventListener("abort", () => {
    sizes.disconnect();
    socket.onclose = null;
    socket.close();
    terminal.dispose();
  });
}

function readNote(text: string, tell: (text: string) => void, onEnd: () => void): void {
  const note: unknown = JSON.parse(text);
  if (typeof note !== "object" || note === null || !("type" in note)) return;
  if (note.type === "exit" && "exitCode" in note) {
    tell(texts.ended(Number(note.exitCode)));
    onEnd();
  }
  if (note.type === "cursor" && "lost" in note) tell(texts.connectedAfter(Number(note.lost)));
}

let sheet: CSSStyleSheet | undefined;

/** The policy of the page forbids style elements; a constructed sheet is our own. */
function addStyle(text: string): void {
  if (sheet !== undefined) return;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** The emulator puts its rules into style elements; here they are elements without effect, and sheets follow their text. */
function withConstructedStyles(page: Document): Document {
  const createStyle = () => {
    const element = page.createElement("span");
    element.hidden = true;
    const rules = new CSSStyleSheet();
    page.adoptedStyleSheets = [...page.adoptedStyleSheets, rules];
    new MutationObserver(() => rules.replaceSync(element.textContent ?? "")).observe(element, { childList: true });
    return element;
  };
  return new Proxy(page, {
    get(target, name) {
      if (name === "createElement")
        return (tag: string) => (tag === "style" ? createStyle() : target.createElement(tag));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The colours of the page. */
function themeOf(place: HTMLElement) {
  const style = getComputedStyle(place);
  const color = (token: string) => style.getPropertyValue(`--${token}`).trim() || undefined;
  const named = {
    background: color("pageBg"),
    foreground: color("text"),
    cursor: color("accent"),
    selectionBackground: color("selectedBg"),
    red: color("error"),
    green: color("success"),
    yellow: color("warning"),
    blue: color("mdLink"),
    magenta: color("syntaxKeyword"),
    cyan: color("syntaxType"),
    white: color("text"),
    black: color("borderMuted"),
    brightBlack: color("muted"),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
