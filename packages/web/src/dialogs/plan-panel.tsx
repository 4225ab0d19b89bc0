/** Shows a finished plan and asks whether it is carried out, changed or sent back. */
import type { PermissionRequest } from "@kedge/protocol";
import {
  changePlanQuestion,
  editedPlanMessage,
  editPlanQuestion,
  judgedLine,
  missingPlan,
  type PlanAction,
  planChoices,
  planPath,
  planTitle,
} from "@kedge/tui/session";
import { useMemo, useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { Markdown } from "../parts/markdown.ts";
import { createPageLook } from "../parts/part.tsx";
import * as texts from "../texts/dialogs.ts";
import { AnswerText } from "./answer-text.tsx";
import { Choices } from "./choices.tsx";
import type { Finish } from "./finish.ts";

export function PlanPanel({ request, finish }: { readonly request: PermissionRequest; readonly finish: Finish }) {
  const { desk } = usePage();
  const [writing, setWriting] = useState<"message" | "edit">();
  const plan = request.preview ?? "";
  const look = useMemo(() => createPageLook({}), []);
  const choices = useMemo(() => planChoices(plan, request), [plan, request]);
  const { requestId } = request;

  function act(action: PlanAction): void {
    switch (action) {
      case "accept":
        finish(() => desk.answerPermission(requestId, { reply: "once" }));
        return;
      case "accept-edits":
        finish(async () => {
          const isTaken = await desk.answerPermission(requestId, { reply: "once" });
          if (isTaken) await desk.changeMode("accept-edits");
          return isTaken;
        });
        return;
      case "reject":
        finish(() => desk.answerPermission(requestId, { reply: "reject" }));
        return;
      default:
        setWriting(action);
    }
  }

  function written(text: string): void {
    if (writing === "edit" && text === plan) {
      setWriting(undefined);
      return;
    }
    const message = writing === "edit" ? editedPlanMessage(request, text) : text.trim();
    finish(() => desk.answerPermission(requestId, { reply: "reject", message }));
  }

  return (
    <section class="request" role="dialog" aria-label={planTitle(request)}>
      <h2 class="request-title">{planTitle(request)}</h2>
      <div class="request-body tall" tabIndex={0} role="region" aria-label={texts.plan}>
        {(request.evidence ?? []).map((line) => (
          <p key={line} class="request-evidence">
            ! {judgedLine(line)}
          </p>
        ))}
        {plan === "" ? (
          <p class="request-evidence">{missingPlan(request)}</p>
        ) : (
          <>
            <p class="quiet">{planPath(request)}</p>
            <Markdown text={plan} look={look} />
          </>
        )}
      </div>
      {writing === undefined ? (
        <Choices choices={choices} confirmed={["accept-edits"]} onChoose={act} onEscape={() => act("reject")} />
      ) : (
        <AnswerText
          sentence={writing === "edit" ? editPlanQuestion : changePlanQuestion}
          initial={writing === "edit" ? plan : ""}
          sendLabel={writing === "edit" ? texts.sendPlan : texts.rejectAndSend}
          onText={written}
          onBack={() => setWriting(undefined)}
        />
      )}
    </section>
  );
}
