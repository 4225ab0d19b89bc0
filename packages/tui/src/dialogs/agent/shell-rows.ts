/** Commands in the background, as they are listed beside agents. */

import type { TaskSummary } from "@kedge/protocol";
import { cleanText } from "../../screen/clean-text.ts";
import { remoteLine, remoteList } from "../../status/remote-values.ts";
import { durationText } from "../../status/short-figures.ts";
import { agentTexts } from "../../texts/dialogs.ts";
import { flowText } from "../text/dialog-text.ts";

export type ShellRow = {
  readonly kind: "shell";
  readonly sessionId: string;
  readonly taskId: string;
  readonly title: string;
  readonly isRunning: boolean;
  readonly isFailed: boolean;
  /** What it does now or how it ended, as a sentence. */
  readonly doing: string;
  readonly figures: string;
};

/** Those that run come first; otherwise in the order in which they were started. */
export function shellRows(given: readonly TaskSummary[]): readonly ShellRow[] {
  const rows = remoteList(given).map(shellRow);
  return [...rows.filter(({ isRunning }) => isRunning), ...rows.filter(({ isRunning }) => !isRunning)];
}

function shellRow({ sessionId, taskId, command, status, result, durationMs }: TaskSummary): ShellRow {
  const isRunning = status === "running";
  const ended = remoteLine(result);
  return {
    ...{ kind: "shell", sessionId, taskId, title: remoteLine(command), isRunning },
    isFailed: !isRunning && /exit code [^0]|failed|timed out|lost/.test(ended),
    doing: isRunning
      ? agentTexts.shellRunning
      : ended === ""
        ? agentTexts.shellEnded
        : agentTexts.shellEndedWith(ended),
    figures: durationMs === undefined ? "" : durationText(durationMs),
  };
}

export function outputLines(output: string, width: number): readonly string[] {
  return cleanText(output)
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : flowText(line, width)));
}
