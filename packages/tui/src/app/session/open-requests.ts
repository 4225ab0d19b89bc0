/** Shows the first request that waits for an answer, and takes it away when somebody else has answered. */
import { includesScope, type ViewEventOf } from "@kedge/protocol";
import { createPermissionDialog, type PermissionDialog } from "../../dialogs/permission/permission-dialog.ts";
import { isPlanApproval } from "../../dialogs/permission/plan-answers.ts";
import { createPlanDialog, type MarkdownText } from "../../dialogs/permission/plan-dialog.ts";
import { createQuestionDialog } from "../../dialogs/question/question-dialog.ts";
import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { Dialog, View } from "../../screen/view.ts";
import type { ClientState, OpenRequest } from "../../state/client-state.ts";
import { requestIdOf } from "../../state/session-mirror.ts";
import { changedFiles } from "../../status/changed-files.ts";
import type { Theme } from "../../theme/theme.ts";
import { watchText } from "../told-texts.ts";
import type { SessionDesk } from "./session-desk.ts";

export type RequestParts = {
  readonly state: () => ClientState;
  readonly dialogs: DialogStack;
  readonly desk: () => SessionDesk;
  readonly theme: () => Theme;
  readonly now: () => number;
  /** When the user last pressed, pasted or clicked anything, in the milliseconds of `now`. */
  readonly lastKeyAt: () => number;
  readonly redraw: () => void;
  readonly notice: (text: string) => void;
  readonly createMarkdown: () => MarkdownText;
  readonly createDiff: (patch: string, path: string) => View;
};

export interface OpenRequests {
  /** Looks at the state again. */
  update(): void;
  /** Somebody answered; told when it was not this screen. */
  answered(event: ViewEventOf<"permission.replied">): void;
  isShown(dialog: Dialog | undefined): boolean;
}

type Shown = { readonly requestId: string; readonly dialog: Dialog; readonly permission?: PermissionDialog };

export function createOpenRequests(parts: RequestParts): OpenRequests {
  const { state, dialogs, theme, now, lastKeyAt, redraw } = parts;
  let shown: Shown | undefined;
  /** What was on the screen until its request went: only then is told who answered. */
  let left: Shown | undefined;
  /** Answered here; their end is no news. */
  const answeredHere = new Set<string>();
  /** Those that somebody else has to answer, and that were told of. */
  const watched = new Set<string>();

  function finish(requestId: string, answer: () => Promise<boolean>): void {
    answeredHere.add(requestId);
    hide();
    void answer().then((isTaken) => {
      // An answer that could not be taken leaves the request open, and it is asked again.
      if (!isTaken) answeredHere.delete(requestId);
      update();
    });
  }

  function mayAnswer({ kind }: OpenRequest): boolean {
    const { scope = "admin" } = state();
    return includesScope(scope, kind === "permission" ? "approve" : "prompt");
  }

  function watch(request: OpenRequest): void {
    const requestId = requestIdOf(request);
    if (watched.has(requestId)) return;
    watched.add(requestId);
    parts.notice(watchText(request));
  }

  function hide(): void {
    if (shown === undefined) return;
    const { dialog } = shown;
    shown = undefined;
    dialogs.close(dialog);
  }

  function show(request: OpenRequest, waitingCount: number): void {
    const requestId = requestIdOf(request);
    const appearance = { theme, now, lastKeyAt, redraw };
    if (request.kind === "question") {
      const dialog = createQuestionDialog({
        ...appearance,
        questions: request.questions,
        onAnswers: (answers) => finish(requestId, () => parts.desk().answerQuestions(requestId, answers)),
        onDismiss: () => finish(requestId, () => parts.desk().interrupt()),
      });
      shown = { requestId, dialog };
    } else if (isPlanApproval(request.request)) {
      const dialog = createPlanDialog({
        ...appearance,
        request: request.request,
        createMarkdown: parts.createMarkdown,
        onAnswer: ({ mode, ...answer }) =>
          finish(requestId, async () => {
            const isTaken = await parts.desk().answerPermission(requestId, answer);
            if (isTaken && mode !== undefined) await parts.desk().changeMode(mode);
            return isTaken;
          }),
      });
      shown = { requestId, dialog };
    } else {
      const { messages, directory, session } = state();
      const dialog = createPermissionDialog({
        ...appearance,
        request: request.request,
        directory,
        waitingCount,
        changedFiles: changedFiles(messages).map(({ path }) => path),
        createDiff: parts.createDiff,
        canAcceptEdits: session?.mode === "default",
        onAnswer: ({ mode, ...answer }) =>
          finish(requestId, async () => {
            // First, so that the next edit of the same answer is not asked about.
            if (mode !== undefined && !(await parts.desk().changeMode(mode))) return false;
            return parts.desk().answerPermission(requestId, answer);
          }),
      });
      shown = { requestId, dialog, permission: dialog };
    }
    dialogs.open(shown.dialog);
  }

  function update(): void {
    const { requests } = state();
    const ids = new Set(requests.map(requestIdOf));
    for (const id of answeredHere) if (!ids.has(id)) answeredHere.delete(id);
    if (shown !== undefined && !ids.has(shown.requestId)) {
      left = shown;
      hide();
    }
    for (const id of watched) if (!ids.has(id)) watched.delete(id);
    for (const request of requests) if (!mayAnswer(request)) watch(request);
    const waiting = requests.filter((request) => mayAnswer(request) && !answeredHere.has(requestIdOf(request)));
    const [first] = waiting;
    if (first !== undefined && shown === undefined) show(first, waiting.length - 1);
  }

  return {
    update,
    answered({ id, reply, source }) {
      const settled = [shown, left].find((each) => each?.requestId === id);
      if (settled === left) left = undefined;
      if (settled?.permission === undefined) return;
      // The record's own words for who it was.
      const told = settled.permission.resolvedBy({
        reply,
        source: source as Parameters<PermissionDialog["resolvedBy"]>[0]["source"],
      });
      if (settled === shown) hide();
      parts.notice(told);
    },
    isShown: (dialog) => dialog !== undefined && shown?.dialog === dialog,
  };
}
