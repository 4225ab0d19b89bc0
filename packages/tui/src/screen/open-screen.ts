/** The alternate screen: a scrolled transcript, a footer, a sidebar where there is room, and dialogs over them. */
import {
  type KeybindingsConfig,
  KeybindingsManager,
  type OverlayHandle,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui";
import { decodeInput } from "./decode-input.ts";
import type { Input } from "./input.ts";
import { layOut, overlayOf } from "./screen-layout.ts";
import type { Over, ScreenListener, ScreenParts } from "./screen-parts.ts";
import { tapTerminal } from "./tap-terminal.ts";

export type Rgb = { readonly red: number; readonly green: number; readonly blue: number };

export interface Screen {
  /** Set before the screen starts. */
  listen(listener: ScreenListener): void;
  start(): void;
  /** Leaves the terminal as it was found. Safe to call twice. */
  stop(): void;
  /** The same for good: it does not start again. */
  close(): void;
  /** Draws what changed with the next frame. */
  redraw(): void;
  /** At once, for who needs to know how long things are. */
  redrawNow(): void;
  /** Everything again, as after something else wrote to the terminal. */
  redrawAll(): void;
  readonly columns: number;
  readonly rows: number;
  show(over: Over | undefined): void;
  scrollBy(lines: number): void;
  scrollByPage(pages: number): void;
  scrollToTop(): void;
  scrollToEnd(): void;
  readonly isAtTop: boolean;
  readonly isAtEnd: boolean;
  toggleSearch(): void;
  /** A word at the edge that vanishes by itself. */
  flash(text: string): void;
  copy(text: string): void;
  /** A sequence of ours that draws nothing, such as a bell. */
  signal(sequence: string): void;
  /** Whether clicks and the wheel come to us, or stay with the terminal for its own selection. */
  setMouse(isOurs: boolean): void;
  /** The background of the terminal, if it says so in time. */
  askBackground(): Promise<Rgb | undefined>;
  onSchemeChange(listener: (scheme: "dark" | "light") => void): void;
}

const mouseOn = "\u001b[?1000h\u001b[?1002h\u001b[?1006h";
const mouseOff = "\u001b[?1006l\u001b[?1003l\u001b[?1002l\u001b[?1000l";
const focusOn = "\u001b[?1004h";
const focusOff = "\u001b[?1004l";
const backgroundWaitMs = 500;
const pageOverlap = 2;

export function openScreen(parts: ScreenParts): Screen {
  const { terminal } = parts;
  // Keys are ours to name; the library only keeps those of its own search line.
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, ownViewportKeys));
  let listener: ScreenListener | undefined;
  const onInput = (input: Input) => listener?.onInput(input);
  const tapped = tapTerminal(terminal, onInput, () => showAgain());
  let shown: { readonly over: Over; readonly handle: OverlayHandle } | undefined;
  const { tui, scroll } = layOut(parts, {
    terminal: tapped.terminal,
    listener: () => listener,
    isCovered: () => shown !== undefined,
  });
  const characters = createCharacterJoiner();
  tui.setFocus({
    render: () => [],
    invalidate: () => {},
    handleInput: (sequence) => {
      const input = decodeInput(characters.join(sequence));
      if (input !== undefined) onInput(input);
    },
  });

  let isStarted = false;
  let isClosed = false;
  let isMouseOurs = parts.mouse;

  function show(over: Over | undefined): void {
    if (shown?.over === over) return;
    shown?.handle.hide();
    shown = undefined;
    if (over === undefined) {
      tui.requestRender();
      return;
    }
    const handle = tui.showOverlay(overlayOf(over, terminal), {
      width: Math.min(over.widthWished, terminal.columns),
      anchor: over.placement === "bottom" ? "bottom-center" : "center",
      nonCapturing: true,
    });
    shown = { over, handle };
  }

  /** The width of what is on top is that of the screen when it was shown. */
  function showAgain(): void {
    const over = shown?.over;
    if (over === undefined) return;
    show(undefined);
    show(over);
  }

  function stop(): void {
    if (!isStarted) return;
    isStarted = false;
    if (!parts.mouse) terminal.write(`${isMouseOurs ? mouseOff : ""}${focusOff}`);
    // Without this the library would print the whole transcript again below.
    tui.stop({ preserveScreen: true });
  }

  return {
    listen(wanted) {
      listener = wanted;
    },
    start() {
      if (isStarted || isClosed) return;
      isStarted = true;
      tui.start();
      // The library asks for the focus together with the mouse only, and takes the mouse as it was at first.
      if (!parts.mouse) terminal.write(focusOn);
      if (isMouseOurs !== parts.mouse) terminal.write(isMouseOurs ? mouseOn : mouseOff);
      tui.setTerminalColorSchemeNotifications(true);
      tui.renderNow(true);
    },
    stop,
    close() {
      isClosed = true;
      stop();
    },
    redraw: () => tui.requestRender(),
    redrawNow: () => tui.renderNow(),
    redrawAll: () => tui.requestRender(true),
    get columns() {
      return terminal.columns;
    },
    get rows() {
      return terminal.rows;
    },
    show,
    scrollBy: (lines) => tui.scrollBy(lines),
    scrollByPage: (pages) => tui.scrollBy(Math.trunc(pages * Math.max(1, scroll.viewportHeight - pageOverlap))),
    scrollToTop: () => tui.scrollToTop(),
    scrollToEnd: () => tui.scrollToBottom(),
    get isAtTop() {
      return scroll.scrollTop === 0;
    },
    get isAtEnd() {
      return scroll.isFollowingEnd;
    },
    toggleSearch: () => tapped.press(searchKeySequence),
    flash: (text) => tui.flash(text),
    copy: (text) => terminal.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`),
    signal: (sequence) => terminal.write(sequence),
    setMouse(isOurs) {
      isMouseOurs = isOurs;
      terminal.write(isOurs ? mouseOn : mouseOff);
    },
    async askBackground() {
      const color = await tui.queryTerminalBackgroundColor({ timeoutMs: backgroundWaitMs });
      return color === undefined ? undefined : { red: color.r, green: color.g, blue: color.b };
    },
    onSchemeChange: (listener) => void tui.onTerminalColorSchemeChange(listener),
  };
}

/** The library opens its search by a key only; this one, with all four modifiers, is for us. */
const searchKey = "ctrl+shift+alt+super+f";
const searchKeySequence = "\u001b[102;16u";

/** Scrolling goes by our own keys, and the library's would take some of them away from the prompt. */
const ownViewportKeys = {
  ...Object.fromEntries(
    Object.keys(TUI_KEYBINDINGS)
      .filter((name) => name.startsWith("tui.altScreen.") && !name.startsWith("tui.altScreen.search"))
      .map((name) => [name, []]),
  ),
  "tui.altScreen.search": [searchKey],
} as const satisfies KeybindingsConfig;

/** The library gives typed text by halves of a character where it has two, as emoji have. */
function createCharacterJoiner(): { join(sequence: string): string } {
  let half = "";
  return {
    join(sequence) {
      const whole = half + sequence;
      half = /^[\ud800-\udbff]$/.test(whole) ? whole : "";
      return half === "" ? whole : "";
    },
  };
}
