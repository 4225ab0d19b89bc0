/** What an ACP agent says and asks for, in the order in which it came, for the one who listens. */
import type { PromptResponse, ToolCallUpdate } from "@agentclientprotocol/sdk";

/** What the agent waits for. Exactly one of the two is called, once. */
export type AcpRequest =
  | {
      readonly kind: "read";
      readonly path: string;
      readonly line?: number;
      readonly limit?: number;
      grant(content: string): void;
      refuse(why: string): void;
    }
  | {
      readonly kind: "write";
      readonly path: string;
      readonly content: string;
      grant(): void;
      refuse(why: string): void;
    }
  | {
      readonly kind: "permission";
      readonly call: ToolCallUpdate;
      grant(): void;
      refuse(why: string): void;
      /** After a grant: resolves with what the agent says came of the call. */
      readonly done: Promise<{ readonly text: string; readonly isError: boolean }>;
    };

export type AcpNews =
  | { readonly type: "text" | "thought"; readonly text: string }
  | { readonly type: "request"; readonly request: AcpRequest }
  | { readonly type: "ended"; readonly reason: PromptResponse["stopReason"] }
  | { readonly type: "failed"; readonly problem: string };

export type NewsQueue = {
  readonly tell: (news: AcpNews) => void;
  /** The next thing that happens; news wait for whoever asks. */
  readonly next: () => Promise<AcpNews>;
};

export function createAcpNews(): NewsQueue {
  const queue: AcpNews[] = [];
  let wake: (() => void) | undefined;
  return {
    tell(news) {
      queue.push(news);
      wake?.();
    },
    async next() {
      for (;;) {
        const news = queue.shift();
        if (news !== undefined) return news;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
