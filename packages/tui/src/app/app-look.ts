/** How everything looks: the theme in use, and the views that are rebuilt when it changes. */
import type { View } from "../screen/view.ts";
import type { TuiSettings } from "../settings/tui-settings.ts";
import type { ClientState } from "../state/client-state.ts";
import { sidebarLines } from "../status/sidebar.ts";
import { colorDepth } from "../theme/color-depth.ts";
import type { Theme } from "../theme/theme.ts";
import { createThemeDesk, type ThemeDesk } from "../theme/theme-desk.ts";
import { createReveal } from "../transcript/streaming-reveal.ts";
import { createTranscript, type Transcript } from "../transcript/transcript.ts";
import type { MessageViews } from "./message-views.ts";
import { createStartScreen } from "./start-screen.ts";
import type { TuiParts } from "./tui-parts.ts";

export type LookParts = Pick<TuiParts, "files" | "environment" | "now" | "version" | "userDirectory"> & {
  readonly settings: TuiSettings;
  readonly state: () => ClientState;
  readonly redraw: () => void;
  readonly keys: { readonly expand: string; readonly pager: string };
};

export interface AppLook {
  readonly themes: ThemeDesk;
  theme(): Theme;
  readonly transcript: Transcript;
  /** The same view for the whole time, whatever it is drawn by. */
  readonly transcriptView: View & { readonly width: () => number };
  readonly sidebar: View;
  /** To be awaited before a message is shown. */
  load(): Promise<void>;
  createMarkdown: MessageViews["createMarkdown"];
  createDiff(patch: string, path: string): View;
  update(): void;
  setThinking(isShown: boolean): void;
  isThinkingShown(): boolean;
  /** How long until more of a text may be shown. */
  nextInMs(): number | undefined;
}

/** The same array for the same two, as every view gives it back. */
function createJoin() {
  let last: {
    readonly first: readonly string[];
    readonly second: readonly string[];
    readonly lines: readonly string[];
  };
  return (first: readonly string[], second: readonly string[]): readonly string[] => {
    if (last?.first !== first || last.second !== second) last = { first, second, lines: [...first, ...second] };
    return last.lines;
  };
}

/** What a person judges is there to its last line; the dialog scrolls. */
const dialogDiffLinesMax = Number.POSITIVE_INFINITY;

export function createAppLook(parts: LookParts): AppLook {
  const { settings, state, redraw, now } = parts;
  const themes = createThemeDesk({
    slots: settings.theme,
    background: { colorFgBg: parts.environment["COLORFGBG"] },
    look: {
      depth: colorDepth(parts.environment),
      colorBlind: settings.colorBlindMode,
      ...(settings.symbolPreset !== undefined && { symbolPreset: settings.symbolPreset }),
    },
    files: parts.files.themes,
  });
  let loaded: MessageViews | undefined;
  const views = () => {
    if (loaded === undefined) throw new Error("a message is drawn before its views are loaded");
    return loaded;
  };
  const reveal = createReveal({ isOn: () => settings.display.smoothStreaming && state().isFocused, now });
  let isThinkingShown = settings.display.showThinking;
  const transcript = createTranscript({
    ...{ theme: themes.current, reveal, keys: parts.keys },
    createMarkdown: () => views().createMarkdown(),
    createDiff: (input, path, linesMax) => views().createDiff(input, path, linesMax),
  });
  transcript.setThinking(isThinkingShown);
  const startScreen = createStartScreen({ ...parts, theme: themes.current });
  const joined = createJoin();
  let lastWidth = 0;
  let sidebar:
    | { readonly state: ClientState; readonly theme: Theme; readonly width: number; readonly lines: readonly string[] }
    | undefined;

  themes.onChange(redraw);

  return {
    themes,
    theme: themes.current,
    transcript,
    transcriptView: {
      render(width) {
        lastWidth = width;
        const lines = transcript.render(width);
        const start = startScreen.render(width);
        return start.length === 0 ? lines : joined(start, lines);
      },
      width: () => lastWidth,
    },
    sidebar: {
      render(width) {
        const theme = themes.current();
        if (sidebar?.state !== state() || sidebar.theme !== theme || sidebar.width !== width) {
          sidebar = { state: state(), theme, width, lines: sidebarLines(state(), theme, width) };
        }
        return sidebar.lines;
      },
    },
    async load() {
      const { createMessageViews } = await import("./message-views.ts");
      loaded = createMessageViews({
        theme: themes.current,
        layout: settings.diff.layout,
        onColours() {
          transcript.repaint();
          redraw();
        },
      });
    },
    createMarkdown: () => views().createMarkdown(),
    createDiff: (patch, path) => views().createDiff({ patch }, path, dialogDiffLinesMax),
    update: () => transcript.update(state()),
    setThinking(isShown) {
      isThinkingShown = isShown;
      transcript.setThinking(isShown);
    },
    isThinkingShown: () => isThinkingShown,
    nextInMs() {
      const at = reveal.nextFrameAt();
      return at === undefined ? undefined : Math.max(0, at - now());
    },
  };
}
