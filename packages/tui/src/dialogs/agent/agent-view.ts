/** One agent while it works: its conversation, which follows its end, with its state above and keys below. */

import { type Input, keyName } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog, View } from "../../screen/view.ts";
import { agentTexts } from "../../texts/dialogs.ts";
import type { Theme } from "../../theme/theme.ts";
import { flowText, hintLine } from "../text/dialog-text.ts";
import { createScrollArea } from "../text/scroll-area.ts";
import { type AgentAction, agentQuestions } from "./agent-questions.ts";
import type { AgentRow } from "./agent-rows.ts";

export type AgentViewProps = {
  /** As it is listed now; the same object as long as nothing changed. */
  readonly row: () => AgentRow | undefined;
  readonly transcript: View;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
  readonly onAct: (action: AgentAction, agentId: string, text?: string) => void;
  /** Reached the beginning of what is known. */
  readonly onTop: () => void;
  readonly onClosed: () => void;
};

const widthWished = 120;
const headRowsMax = 2;

export function createAgentView(props: AgentViewProps): Dialog {
  const { theme, onTop } = props;
  const area = createScrollArea();
  const cached = createRemembered<readonly string[]>();
  let question: Dialog | undefined;
  let isFollowing = true;
  let changes = 0;
  const back = () => {
    question = undefined;
  };
  /** Whoever directs it wants to see what comes of it. */
  const onAct: AgentViewProps["onAct"] = (...wish) => {
    isFollowing = true;
    props.onAct(...wish);
  };
  const questions = agentQuestions({ theme, onAct, back });

  function scroll(input: Input): boolean {
    const lines = linesOf(input);
    const isTaken =
      lines === 0
        ? area.handle(input)
        : area.handle({ kind: "mouse", mouse: { type: "wheel", x: 0, y: 0, wheelLines: lines } });
    if (!isTaken) return lines !== 0;
    isFollowing = area.isAtEnd();
    if (area.isAtTop()) onTop();
    return true;
  }

  function press(input: Input): boolean {
    const row = props.row();
    if (input.kind !== "key" || row === undefined) return false;
    const isRunning = row.state === "running";
    switch (keyName(input.key)) {
      case "m":
      case "ctrl+s":
        question = questions.message(row);
        return true;
      case "i":
      case "ctrl+x":
        if (isRunning) onAct("interrupt", row.agentId);
        return true;
      case "ctrl+k":
        if (isRunning) question = questions.kill(row);
        return true;
      case "r":
      case "ctrl+r":
        if (!isRunning) onAct("revive", row.agentId);
        return true;
      default:
        return false;
    }
  }

  function draw(lines: readonly string[], row: AgentRow | undefined, page: { width: number; height: number }) {
    const { width, height } = page;
    const colours = theme();
    const problem = props.problem?.();
    const told = problem ?? (row === undefined ? agentTexts.loadingOne : `${row.doing}  ${row.figures}`);
    const head = flowText(told, width)
      .slice(0, headRowsMax)
      .map((line) => colours.fg(problem !== undefined || row?.isFailed ? "error" : "muted", line));
    const room = Math.max(1, height - head.length - 3);
    if (isFollowing) area.reveal(lines.length - 1, lines.length);
    const shown = area.render(lines, { width, height: room, theme: colours });
    const keys = row?.state === "running" ? [agentTexts.interruptKey, agentTexts.killKey] : [agentTexts.reviveKey];
    const hint = hintLine(
      [agentTexts.messageKey, ...keys, agentTexts.scroll, agentTexts.follow, agentTexts.back],
      width,
      colours,
    );
    return [...head, "", ...shown, "", hint].slice(0, height);
  }

  return {
    get title() {
      return question?.title ?? props.row()?.title ?? agentTexts.viewTitle;
    },
    widthWished,
    render(width, height) {
      if (question !== undefined) return question.render(width, height);
      const lines = props.transcript.render(width);
      const row = props.row();
      const parts = [lines, row, width, height, theme(), props.problem?.(), changes];
      return cached(parts, () => draw(lines, row, { width, height }));
    },
    handle(input) {
      changes += 1;
      if (question !== undefined) return question.handle(input);
      return scroll(input) || press(input) || input.kind === "mouse";
    },
    closed() {
      question?.closed?.();
      props.onClosed();
    },
  };
}

function linesOf(input: Input): number {
  if (input.kind !== "key") return 0;
  const name = keyName(input.key);
  if (name === "up" || name === "k") return -1;
  return name === "down" || name === "j" ? 1 : 0;
}
