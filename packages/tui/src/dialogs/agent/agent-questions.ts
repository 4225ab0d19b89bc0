/** What is asked before an agent is written to or ended, in the list of agents and in the view of one. */

import type { Dialog } from "../../screen/view.ts";
import { agentTexts } from "../../texts/dialogs.ts";
import type { Theme } from "../../theme/theme.ts";
import { createConfirmDialog } from "../choice/confirm-dialog.ts";
import { createTextDialog } from "../text/text-dialog.ts";
import type { AgentRow } from "./agent-rows.ts";

export type AgentAction = "message" | "interrupt" | "kill" | "revive";

export type QuestionParts = {
  readonly theme: () => Theme;
  readonly onAct: (action: AgentAction, agentId: string, text?: string) => void;
  readonly back: () => void;
};

export interface AgentQuestions {
  message(row: AgentRow): Dialog;
  kill(row: AgentRow): Dialog;
}

export function agentQuestions({ theme, onAct, back }: QuestionParts): AgentQuestions {
  return {
    message: ({ agentId, title, state }) =>
      createTextDialog({
        title: agentTexts.messageTitle,
        theme,
        sentence: state === "running" ? agentTexts.askMessageRunning(title) : agentTexts.askMessageEnded(title),
        isMultiline: true,
        onText(text) {
          back();
          onAct("message", agentId, text.trim());
        },
        onEscape: back,
      }),
    kill: ({ agentId, title }) =>
      createConfirmDialog({
        title: agentTexts.killTitle,
        theme,
        sentence: agentTexts.askKill(title),
        yes: agentTexts.confirmKill,
        no: agentTexts.keepRunning,
        onAnswer(isYes) {
          back();
          if (isYes) onAct("kill", agentId);
        },
      }),
  };
}
