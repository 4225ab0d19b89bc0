/**
 * What waits for an answer: permissions, plans and questions, one at a time, in the place of the prompt. It stands outside
 * of the conversation, which can paint nothing over it or beside it.
 */
import type { OpenRequest } from "@kedge/tui/session";
import { isPlanApproval, requestIdOf, watchText } from "@kedge/tui/session";
import { useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import type { Finish } from "./finish.ts";
import { PermissionPanel } from "./permission-panel.tsx";
import { PlanPanel } from "./plan-panel.tsx";
import { QuestionPanel } from "./question-panel.tsx";

export function RequestPanel() {
  const page = usePage();
  const requests = useSelected(page.store, (state) => state.requests);
  /** Answered here, and not yet gone. */
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const scope = useSelected(page.state, (state) => state.scope);
  const waiting = requests.filter((request) => !answered.has(requestIdOf(request)));
  const [request] = waiting;
  if (request === undefined) return null;
  if (scope !== undefined && !page.mayAnswer(request.kind === "permission" ? "approve" : "prompt")) {
    return <p class="request watched">{watchText(request)}</p>;
  }
  const id = requestIdOf(request);

  /** An answer that could not be taken leaves the request open, and it is asked again. */
  async function finish(answer: () => Promise<boolean>): Promise<void> {
    setAnswered((before) => new Set([...before, id]));
    if (await answer()) return;
    setAnswered((before) => new Set([...before].filter((each) => each !== id)));
  }
  return (
    <Asked key={id} request={request} waitingCount={waiting.length - 1} finish={(answer) => void finish(answer)} />
  );
}

type AskedProps = { readonly request: OpenRequest; readonly waitingCount: number; readonly finish: Finish };

function Asked({ request, waitingCount, finish }: AskedProps) {
  if (request.kind === "question") return <QuestionPanel request={request} finish={finish} />;
  if (isPlanApproval(request.request)) return <PlanPanel request={request.request} finish={finish} />;
  return <PermissionPanel request={request.request} waitingCount={waitingCount} finish={finish} />;
}
