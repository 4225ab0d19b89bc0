/** What stands below the conversation: what is being done, the prompt, and the status line. */
import { includesScope } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { truncateToWidth } from "../screen/text-width.ts";
import type { View } from "../screen/view.ts";
import type { ClientState } from "../state/client-state.ts";
import { activityLine } from "../status/activity-line.ts";
import { connectionLine } from "../status/connection-line.ts";
import { type StatusSegment, statusLine } from "../status/status-line.ts";
import type { Theme } from "../theme/theme.ts";

export type FooterParts = {
  readonly state: () => ClientState;
  readonly theme: () => Theme;
  readonly prompt: View & { vimMode(): "normal" | "insert" | undefined };
  readonly now: () => number;
  readonly userDirectory: string;
  readonly segments: readonly StatusSegment[];
  readonly interruptKey: string;
  /** A word for the moment, such as the keys of a sequence so far. */
  readonly hint: () => string;
  readonly ownStatus: () => string | undefined;
};

export interface Footer extends View {
  /** How long until it looks different by itself; undefined when it does not. */
  nextInMs(): number | undefined;
}

export function createFooter(parts: FooterParts): Footer {
  const { prompt, theme, state, now } = parts;

  function activity(width: number) {
    const look = { theme: theme(), width, now: now() };
    const { connection, activity: done, scope = "admin" } = state();
    const asked = { interruptKey: parts.interruptKey, isWatching: !includesScope(scope, "approve") };
    return connectionLine({ connection, ...look }) ?? activityLine({ activity: done, ...look, ...asked });
  }

  let drawn: readonly string[] = [];
  function unlessSame(lines: readonly string[]): readonly string[] {
    const isSame = lines.length === drawn.length && lines.every((line, index) => line === drawn[index]);
    if (!isSame) drawn = lines;
    return drawn;
  }

  return {
    render(width) {
      const look = theme();
      const hint = parts.hint();
      const vimMode = prompt.vimMode();
      const own = parts.ownStatus();
      const above =
        hint === ""
          ? activity(width).text
          : look.fg("accent", truncateToWidth(cleanLine(hint), width, look.symbols.ellipsis));
      return unlessSame([
        ...(above === "" ? [] : [above]),
        ...prompt.render(width),
        statusLine({
          state: state(),
          theme: look,
          width,
          segments: parts.segments,
          userDirectory: parts.userDirectory,
          ...(vimMode !== undefined && { vimMode }),
          ...(own !== undefined && { own }),
        }),
      ]);
    },
    nextInMs: () => activity(0).nextInMs,
  };
}
