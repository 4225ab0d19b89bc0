/** What an ACP agent asks its client for, as requests that somebody grants or refuses. */
import type {
  ReadTextFileRequest,
  RequestPermissionRequest,
  RequestPermissionResponse,
  WriteTextFileRequest,
} from "@agentclientprotocol/sdk";
import type { AcpNews } from "./acp-news.ts";

type CallEnd = { readonly text: string; readonly isError: boolean };

export type AcpRequests = {
  read(request: ReadTextFileRequest): Promise<{ content: string }>;
  write(request: WriteTextFileRequest): Promise<Record<string, never>>;
  askPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
  /** What the agent says came of a call. */
  callEnded(callId: string, end: CallEnd): void;
  /** Nothing more is said about the calls that were granted. */
  settle(): void;
};

export function createAcpRequests(tell: (news: AcpNews) => void, refusal: (why: string) => Error): AcpRequests {
  const finished = new Map<string, (end: CallEnd) => void>();
  return {
    read: ({ path, line, limit }) =>
      new Promise((resolve, reject) => {
        const grant = (content: string) => resolve({ content });
        const refuse = (why: string) => reject(refusal(why));
        const range = { ...(typeof line === "number" && { line }), ...(typeof limit === "number" && { limit }) };
        tell({ type: "request", request: { kind: "read", path, ...range, grant, refuse } });
      }),
    write: ({ path, content }) =>
      new Promise((resolve, reject) => {
        const refuse = (why: string) => reject(refusal(why));
        tell({ type: "request", request: { kind: "write", path, content, grant: () => resolve({}), refuse } });
      }),
    askPermission({ toolCall, options }) {
      const { promise: done, resolve: finish } = Promise.withResolvers<CallEnd>();
      return new Promise((resolve) => {
        const choose = (kinds: readonly string[]) => {
          const option = kinds
            .map((kind) => options.find((each) => each.kind === kind))
            .find((each) => each !== undefined);
          const outcome = option && ({ outcome: "selected", optionId: option.optionId } as const);
          resolve({ outcome: outcome ?? { outcome: "cancelled" } });
        };
        const grant = () => {
          finished.set(toolCall.toolCallId, finish);
          // Only for this once: what holds for longer is for the user's rules to say.
          choose(["allow_once", "allow_always"]);
        };
        const refuse = () => choose(["reject_once", "reject_always"]);
        tell({ type: "request", request: { kind: "permission", call: toolCall, grant, refuse, done } });
      });
    },
    callEnded(callId, end) {
      finished.get(callId)?.(end);
      finished.delete(callId);
    },
    settle() {
      for (const finish of finished.values()) finish({ text: "", isError: false });
      finished.clear();
    },
  };
}
