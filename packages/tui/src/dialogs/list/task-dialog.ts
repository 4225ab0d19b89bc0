/** The tasks in the background: opens what one has written, or stops it after a question. */

import type { TaskSummary } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { taskTexts } from "../../texts/dialogs.ts";
import type { ForegroundToken, Symbols, Theme } from "../../theme/theme.ts";
import { createConfirmDialog } from "../choice/confirm-dialog.ts";
import type { ListItem } from "./list-dialog.ts";
import { createPicker } from "./picker-dialog.ts";

export type TaskDialogProps = {
  readonly tasks: () => readonly TaskSummary[] | undefined;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
  readonly onOpen: (taskId: string) => void;
  readonly onStop: (taskId: string) => void;
};

const runningText = taskTexts.running;
const resultColumnsMax = 24;

export function createTaskDialog({ tasks, problem, theme, onOpen, onStop }: TaskDialogProps): Dialog {
  const remembered = createRemembered<readonly ListItem<TaskSummary>[] | undefined>();
  const picker = createPicker<TaskSummary>({
    title: taskTexts.title,
    theme,
    problem,
    items() {
      const known = tasks();
      const { symbols } = theme();
      return remembered([known, symbols], () => known && taskItems(known, symbols));
    },
    loadingText: taskTexts.loading,
    emptyText: taskTexts.empty,
    onChoose: ({ taskId }) => onOpen(taskId),
    keys: [{ key: "ctrl+k", label: taskTexts.stop, press: stop }],
    toneOf: (right): ForegroundToken | undefined => (right === runningText ? "success" : undefined),
    sameAs: (left, right) => left.taskId === right.taskId && left.sessionId === right.sessionId,
  });

  function stop({ taskId, command, status }: TaskSummary): void {
    if (status !== "running") return;
    picker.ask(
      createConfirmDialog({
        title: taskTexts.stopTitle,
        theme,
        sentence: taskTexts.askStop(cleanLine(command)),
        yes: taskTexts.confirmStop,
        no: taskTexts.keepRunning,
        onAnswer(isYes) {
          picker.backToList();
          if (isYes) onStop(taskId);
        },
      }),
    );
  }

  return picker.dialog;
}

/** Those that run stand first. */
function taskItems(tasks: readonly TaskSummary[], symbols: Symbols): readonly ListItem<TaskSummary>[] {
  const running = tasks.filter(({ status }) => status === "running");
  const ended = tasks.filter(({ status }) => status !== "running");
  return [...running, ...ended].map((task) => {
    const isRunning = task.status === "running";
    const result = cleanLine(task.result ?? "").slice(0, resultColumnsMax);
    return {
      value: task,
      label: `${isRunning ? symbols.running : symbols.bullet} ${cleanLine(task.command)}`,
      right: isRunning ? runningText : result || taskTexts.ended,
      keywords: task.taskId,
      group: isRunning ? taskTexts.runningTasks : taskTexts.endedTasks,
    };
  });
}
