/** The alternate screen: a scrolled transcript, a footer, a sidebar where there is room, and dialogs over them. */
import {
  type Component,
  CURSOR_MARKER,
  type KeybindingsConfig,
  KeybindingsManager,
  type OverlayHandle,
  ScrollView,
  setKeybindings,
  type Terminal,
  TUI_KEYBINDINGS,
  TuiAltScreen,
  type TuiAltScreenOptions,
  type TuiMouseEvent,
  VStack,
} from "@earendil-works/pi-tui";
import { decodeInput } from "./decode-input.ts";
import type { Input, Mouse } from "./input.ts";
import { visibleWidth } from "./text-width.ts";
import type { View } from "./view.ts";

export type Rgb = { readonly red: number; readonly green: number; readonly blue: number };

export type ScreenParts = {
  readonly terminal: Terminal;
  readonly transcript: View;
  readonly footer: View;
  readonly sidebar: View & { readonly isShown: () => boolean };
  /** Drawn where the end of the transcript is out of sight. */
  readonly endHint: () => string;
  readonly mouse: boolean;
  readonly wheelLines: number;
  readonly hardwareCursor: boolean;
};

/** Told of what the user does and comes to see. */
export type ScreenListener = {
  readonly onInput: (input: Input) => void;
  /** A frame was drawn that begins with the first line of the transcript, and has more lines than there is room for. */
  readonly onTop: () => void;
  /** Clicks on the transcript, with the line from its beginning on. */
  readonly onTranscriptClick: (line: number, column: number) => void;
  readonly onFooterMouse: (mouse: Mouse) => void;
};

export type Over = {
  readonly widthWished: number;
  readonly placement: "center" | "bottom";
  /** Framed lines, at most `height` of them. */
  render(width: number, height: number): readonly string[];
  mouse(mouse: Mouse): void;
};

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
  /** Everything anew, as after something else wrote to the terminal. */
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
const sidebarColumns = 38;
const sidebarFromColumns = 120;
const transcriptRowsMin = 3;
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
  const hasSidebar = (width: number) => width >= sidebarFromColumns && parts.sidebar.isShown();
  const mainColumns = (width: number) => (hasSidebar(width) ? width - sidebarColumns : width);
  const tui = new ScreenWithSidebar(
    (width) => {
      if (scroll.scrollTop === 0 && !scroll.isFollowingEnd) listener?.onTop();
      return hasSidebar(width) ? parts.sidebar.render(sidebarColumns) : undefined;
    },
    tapped.terminal,
    parts.hardwareCursor,
    { mouse: parts.mouse, wheelScrollLines: parts.wheelLines, scrollToEndIndicator: parts.endHint },
  );
  const transcript = componentOf({ render: (width) => parts.transcript.render(mainColumns(width)) });
  const scroll = new ScrollView(
    {
      ...transcript,
      handleMouse: (event) => {
        if (event.type !== "click" || event.x >= mainColumns(event.width)) return undefined;
        listener?.onTranscriptClick(event.y, event.x);
        return { handled: true };
      },
    },
    // A scrollbar would have the library cut every row of every frame in three, which takes ten times the frame.
    { follow: "end", primary: true, scrollbar: "hidden" },
  );
  const footer: Component = {
    ...componentOf({
      render: (width) => {
        const lines = parts.footer.render(mainColumns(width));
        // There is one cursor, and it belongs to what is on top; the library would write a second one out as it is.
        return shown === undefined ? lines : lines.map((line) => line.replaceAll(CURSOR_MARKER, ""));
      },
    }),
    handleMouse: (event) => {
      if (event.type !== "click") return undefined;
      listener?.onFooterMouse(mouseOf(event));
      return { handled: true };
    },
  };
  const main = new VStack([
    { component: scroll, grow: 1, basis: 0, minSize: transcriptRowsMin },
    { component: footer, shrink: 1 },
  ]);
  tui.setLayoutRoot(main);
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

/**
 * The library can lay out columns itself, but then puts every row of every frame together anew, character by character:
 * 17 ms for 50 rows, 1 ms this way. So this is its subclass, at a place that it leaves open.
 */
class ScreenWithSidebar extends TuiAltScreen {
  private readonly sidebarAt: (width: number) => readonly string[] | undefined;
  private readonly padded = new Map<string, string>();
  private paddedColumns = 0;

  constructor(
    sidebarAt: (width: number) => readonly string[] | undefined,
    terminal: Terminal,
    hardwareCursor: boolean,
    options: TuiAltScreenOptions,
  ) {
    super(terminal, hardwareCursor, undefined, options);
    this.sidebarAt = sidebarAt;
  }

  protected override compositeOverlays(lines: string[], width: number, height: number): string[] {
    const sidebar = this.sidebarAt(width);
    if (sidebar === undefined) return super.compositeOverlays(lines, width, height);
    const rows = lines.map((line, row) => this.pad(line, width - sidebarColumns) + (sidebar[row] ?? ""));
    return super.compositeOverlays(rows, width, height);
  }

  private pad(line: string, columns: number): string {
    if (this.paddedColumns !== columns || this.padded.size > paddedRowsMax) this.padded.clear();
    this.paddedColumns = columns;
    const known = this.padded.get(line);
    if (known !== undefined) return known;
    const padded = line + " ".repeat(Math.max(0, columns - visibleWidth(line)));
    this.padded.set(line, padded);
    return padded;
  }
}

const paddedRowsMax = 1_000;

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

function componentOf(view: View): Component {
  return {
    // The library reads the lines and changes none of them.
    render: (width) => view.render(width) as string[],
    invalidate: () => {},
  };
}

function overlayOf(over: Over, terminal: Terminal): Component {
  return {
    render: (width) => over.render(width, terminal.rows) as string[],
    invalidate: () => {},
    handleMouse: (event) => {
      if (event.type === "move") return undefined;
      over.mouse(mouseOf(event));
      return { handled: true };
    },
  };
}

function mouseOf({ type, x, y, wheelDelta }: TuiMouseEvent): Mouse {
  return { type: type === "move" ? "drag" : type, x, y, ...(wheelDelta !== undefined && { wheelLines: wheelDelta }) };
}

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

const frameBegin = "\u001b[?2026h";
const eraseRow = "\u001b[2K";

type Tapped = { readonly terminal: Terminal; readonly press: (sequence: string) => void };

/**
 * The library takes the focus of the terminal for itself; whoever notifies needs it as well. And it writes a frame
 * where nothing changed, which is left out here: each would wake up the terminal, and a connection.
 */
function tapTerminal(terminal: Terminal, onInput: (input: Input) => void, onSize: () => void): Tapped {
  let press = (_: string) => {};
  let lastPiece = "";
  const tapped = new Proxy(terminal, {
    get(target, name) {
      if (name === "start") {
        return (listener: (sequence: string) => void, onResize: () => void) => {
          press = listener;
          target.start(
            (sequence) => {
              const input = decodeInput(sequence);
              if (input?.kind === "focus") onInput(input);
              listener(sequence);
            },
            () => {
              onSize();
              onResize();
            },
          );
        };
      }
      if (name === "write") {
        return (piece: string) => {
          // A frame without a row only says where the cursor is, as the last one did.
          const isRowless = piece.startsWith(frameBegin) && !piece.includes(eraseRow);
          if (isRowless && lastPiece.endsWith(piece.slice(frameBegin.length))) return;
          lastPiece = piece;
          target.write(piece);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { terminal: tapped, press: (sequence) => press(sequence) };
}
