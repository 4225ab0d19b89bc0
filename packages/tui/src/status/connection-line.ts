/** The line above the prompt while the server cannot be reached, in the place of what is being done. */

import { truncateToWidth } from "../screen/text-width.ts";
import type { ClientState } from "../state/client-state.ts";
import { activityTexts } from "../texts/terminal.ts";
import type { Theme } from "../theme/theme.ts";
import type { ActivityLine } from "./activity-line.ts";

export type ConnectionLook = {
  readonly connection: ClientState["connection"];
  readonly theme: Theme;
  readonly width: number;
  readonly now: number;
};

/** Slow, because nobody works meanwhile. */
const frameMs = 250;

/** Undefined while there is a connection, or the first one is still made. */
export function connectionLine({ connection, theme, width, now }: ConnectionLook): ActivityLine | undefined {
  if (connection !== "lost") return undefined;
  const { statusFrames, ellipsis } = theme.symbols;
  const frame = statusFrames[Math.floor(now / frameMs) % statusFrames.length] ?? "";
  const text = theme.fg("warning", `${frame} ${activityTexts.connectionLost}`);
  return { text: truncateToWidth(text, width, ellipsis), nextInMs: frameMs - (now % frameMs) };
}
