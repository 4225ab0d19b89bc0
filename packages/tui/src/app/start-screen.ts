/** What an empty conversation shows: version, model, directory, the newest sessions of this place, and one tip. */

import { localTimeText } from "../dialogs/text/local-time.ts";
import { cleanLine } from "../screen/clean-text.ts";
import { cutText } from "../screen/cut-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { View } from "../screen/view.ts";
import type { ClientState, RecentSession } from "../state/client-state.ts";
import { homely } from "../status/status-line.ts";
import { startScreenTexts } from "../texts/terminal.ts";
import type { Theme } from "../theme/theme.ts";

export type StartScreenParts = {
  readonly state: () => ClientState;
  readonly theme: () => Theme;
  readonly version: string;
  readonly userDirectory: string;
  readonly now: () => number;
};

export const recentSessionsMax = 3;

const indent = "  ";
const widthMin = 20;

/** Nothing once there is a message. The same array while nothing of it changed. */
export function createStartScreen(parts: StartScreenParts): View {
  let drawn: { readonly key: readonly unknown[]; readonly lines: readonly string[] } | undefined;
  return {
    render(width) {
      const state = parts.state();
      if (state.messages.length > 0 || width < widthMin) return none;
      const theme = parts.theme();
      const key = [width, theme, state.session?.model, state.expectedModel, state.directory, state.recent];
      if (drawn === undefined || key.some((value, at) => value !== drawn?.key[at])) {
        drawn = { key, lines: startLines(state, { ...parts, theme: theme, width }) };
      }
      return drawn.lines;
    },
  };
}

const none: readonly string[] = [];

type Look = Omit<StartScreenParts, "theme" | "state"> & { readonly theme: Theme; readonly width: number };

function startLines({ session, expectedModel, directory, recent }: ClientState, look: Look): readonly string[] {
  const { theme, width, version, userDirectory } = look;
  const { ellipsis } = theme.symbols;
  const cut = (text: string) => cutText(cleanLine(text), width - indent.length, ellipsis);
  const model = session?.model ?? expectedModel ?? "";
  const older = recent ?? [];
  return [
    "",
    indent + theme.bold(theme.fg("accent", cut(startScreenTexts.product(version)))),
    ...(model === "" ? [] : [indent + theme.fg("text", cut(model))]),
    indent + theme.fg("muted", cut(homely(directory, userDirectory))),
    "",
    ...(older.length === 0 ? [] : [indent + theme.fg("muted", cut(startScreenTexts.recent))]),
    ...older.map((one) => recentLine(one, look)),
    ...(older.length === 0 ? [] : [""]),
    indent + theme.fg("dim", cut(startScreenTexts.tip(tipAt(older.length)))),
    "",
  ];
}

/** New users see the first one. */
function tipAt(count: number): string {
  const { tips } = startScreenTexts;
  return tips[count % tips.length] ?? "";
}

function recentLine({ title, updatedAt }: RecentSession, { theme, width, now }: Look): string {
  const time = localTimeText(updatedAt, now());
  const room = width - 2 * indent.length - visibleWidth(time) - 2;
  return `${indent}${indent}${theme.fg("dim", time)}  ${theme.fg("text", cutText(cleanLine(title), room, theme.symbols.ellipsis))}`;
}
