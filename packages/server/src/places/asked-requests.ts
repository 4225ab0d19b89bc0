/** Remembers which session asked what, and how it was answered, so that whoever answers late is told so. */
import type { CommandDoor } from "@kedge/protocol";

export type AskedRequest = {
  readonly kind: "permission" | "question";
  readonly sessionId: string;
  /** Absent while it waits. */
  readonly answeredBy?: string;
};

export interface AskedRequests {
  find(kind: AskedRequest["kind"], requestId: string): AskedRequest | undefined;
  close(): void;
}

/** The oldest are forgotten; an answer to one of them is then an answer to nothing. */
const requestsMax = 2000;

export function watchRequests(source: Pick<CommandDoor, "subscribeAll">): AskedRequests {
  const requests = new Map<string, AskedRequest>();

  function put(requestId: string, request: AskedRequest): void {
    requests.delete(requestId);
    requests.set(requestId, request);
    const [oldest] = requests.keys();
    if (requests.size > requestsMax && oldest !== undefined) requests.delete(oldest);
  }

  const close = source.subscribeAll((sessionId, event) => {
    if (event.kind !== "fact") return;
    const { fact } = event.record;
    switch (fact.type) {
      case "permission.asked":
        return put(fact.requestId, { kind: "permission", sessionId });
      case "question.asked":
        return put(fact.requestId, { kind: "question", sessionId });
      case "permission.answered":
        return put(fact.requestId, {
          kind: "permission",
          sessionId,
          answeredBy: `${sources[fact.source]} with "${fact.reply}"`,
        });
      case "question.answered":
        return put(fact.requestId, { kind: "question", sessionId, answeredBy: "someone else" });
      default:
        return;
    }
  });

  return {
    find(kind, requestId) {
      const request = requests.get(requestId);
      return request?.kind === kind ? request : undefined;
    },
    close,
  };
}

const sources = {
  user: "a person",
  classifier: "the classifier",
  interrupt: "the end of its run",
  sibling: "the answer to another question",
  timeout: "a timeout, which counts",
} as const;
