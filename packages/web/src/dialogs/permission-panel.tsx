/** Asks whether a call may run: the same words and the same answers as in the terminal. */
import { type PermissionAnswer, type PermissionRequest, permissionQuestion, reasonSentence } from "@kedge/protocol";
import {
  changedFiles,
  cleanLine,
  commandInput,
  confirmedActions,
  editQuestion,
  insteadQuestion,
  judgedLine,
  judgedText,
  judgedTexts,
  type PermissionAction,
  patchInPreview,
  permissionChoices,
  permissionTitle,
} from "@kedge/tui/session";
import { useMemo, useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { PatchDiff } from "../parts/diff.ts";
import { createPageLook } from "../parts/part.tsx";
import * as texts from "../texts/dialogs.ts";
import { AnswerText } from "./answer-text.tsx";
import { Choices } from "./choices.tsx";
import type { Finish } from "./finish.ts";

export type PermissionPanelProps = {
  readonly request: PermissionRequest;
  readonly waitingCount: number;
  readonly finish: Finish;
};

export function PermissionPanel({ request, waitingCount, finish }: PermissionPanelProps) {
  const page = usePage();
  const mode = useSelected(page.store, (state) => state.session?.mode);
  const directory = useSelected(page.state, (state) => state.directory);
  const [writing, setWriting] = useState<"message" | "edit">();
  const input = useMemo(() => commandInput(request), [request]);
  const choices = useMemo(
    () => permissionChoices({ request, canAcceptEdits: mode === "default" }, input),
    [request, mode, input],
  );
  const { requestId } = request;
  const { desk } = page;

  function act(action: PermissionAction): void {
    switch (action) {
      case "all-edits":
        // First, so that the next edit of the same answer is not asked about.
        finish(
          async () => (await desk.changeMode("accept-edits")) && desk.answerPermission(requestId, { reply: "once" }),
        );
        return;
      case "message":
      case "edit":
        setWriting(action);
        return;
      default:
        finish(() => desk.answerPermission(requestId, { reply: action }));
    }
  }

  function written(text: string): void {
    const answer: PermissionAnswer =
      writing === "message"
        ? { reply: "reject", message: text.trim() }
        : { reply: "once", updatedInput: { ...input, command: text } };
    finish(() => desk.answerPermission(requestId, answer));
  }

  return (
    <section
      class={request.isIrreversible ? "request irreversible" : "request"}
      role="dialog"
      aria-label={permissionTitle(request)}
    >
      <h2 class="request-title">{permissionTitle(request)}</h2>
      <Judged request={request} directory={directory} command={input?.command} waitingCount={waitingCount} />
      {writing === undefined ? (
        <Choices choices={choices} confirmed={confirmedActions} onChoose={act} onEscape={() => act("reject")} />
      ) : (
        <AnswerText
          sentence={writing === "message" ? insteadQuestion : editQuestion}
          initial={writing === "edit" ? (input?.command ?? "") : ""}
          sendLabel={writing === "message" ? texts.rejectAndSend : texts.run}
          onText={written}
          onBack={() => setWriting(undefined)}
        />
      )}
    </section>
  );
}

type JudgedProps = {
  readonly request: PermissionRequest;
  readonly directory: string;
  readonly command: string | undefined;
  readonly waitingCount: number;
};

function Judged({ request, directory, command, waitingCount }: JudgedProps) {
  const page = usePage();
  const messages = useSelected(page.store, (state) => (request.isIrreversible ? state.messages : undefined));
  const diff = useMemo(() => (command === undefined ? patchInPreview(request.preview) : undefined), [request, command]);
  const judged = judgedTexts({ request, directory, ...(command !== undefined && { command }) }, diff?.beside);
  const look = useMemo(() => createPageLook({ directory }), [directory]);
  const changed = messages === undefined ? [] : changedFiles(messages);
  return (
    <div class="request-body" tabIndex={0} role="region" aria-label={texts.whatIsAsked}>
      {request.isIrreversible && <p class="request-warning">{texts.irreversible}</p>}
      <p class="request-question">
        {cleanLine(permissionQuestion(request))}
        {waitingCount > 0 && <span class="quiet"> · {texts.moreWaiting(waitingCount)}</span>}
      </p>
      <p class="quiet">{texts.toolIn(cleanLine(request.tool), directory)}</p>
      {judged.map((text) => (
        <pre key={text} class="judged">
          {judgedText(text)}
        </pre>
      ))}
      {diff !== undefined && <PatchDiff patch={diff.patch} path={diff.path} look={look} />}
      <p class="quiet">{judgedLine(reasonSentence(request.reason))}</p>
      {(request.evidence ?? []).map((line) => (
        <p key={line} class="request-evidence">
          ! {judgedLine(line)}
        </p>
      ))}
      {changed.length > 0 && (
        <>
          <p class="request-evidence">{texts.changedInSession}</p>
          <ul class="request-files">
            {changed.slice(0, 200).map(({ path }) => (
              <li key={path}>{judgedLine(path)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
