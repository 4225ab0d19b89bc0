/** Another agent's process that speaks the Agent Client Protocol: its session, what it says, and what it asks for. */
import { Readable, Writable } from "node:stream";
import type {
  ContentBlock,
  InitializeResponse,
  NewSessionResponse,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { loadSdk } from "./load-sdk.ts";

/** Its pipes. Killing it ends everything that it started. */
export type AcpProcess = {
  readonly input: NodeJS.WritableStream;
  readonly output: NodeJS.ReadableStream;
  /** Resolves when it is gone, with what ended it. */
  readonly gone: Promise<string>;
  kill(): void;
};

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

export type AcpWorker = {
  /** The next thing that happens; news wait for whoever asks. */
  next(): Promise<AcpNews>;
  prompt(text: string): void;
  cancel(): void;
  isGone(): boolean;
  close(): void;
};

const protocolVersion = 1;
const startMsMax = 60_000;
/** What the end of a process may take to be known after that of its pipes. */
const endMsMax = 1_000;
/** A refusal, as the protocol numbers errors of an application. */
const refusedCode = -32_000;

/** Throws a sentence where the process does not answer as an agent does. */
export async function openAcpWorker(
  process: AcpProcess,
  place: { readonly cwd: string; readonly kedgeVersion: string },
): Promise<AcpWorker> {
  const { client, ndJsonStream, RequestError } = loadSdk();
  const queue: AcpNews[] = [];
  const finished = new Map<string, (end: { text: string; isError: boolean }) => void>();
  let wake: (() => void) | undefined;
  let goneBecause: string | undefined;
  const tell = (news: AcpNews) => {
    queue.push(news);
    wake?.();
  };

  const app = client({ name: "kedge" })
    .onNotification("session/update", ({ params }) => hear(params.update))
    .onRequest(
      "fs/read_text_file",
      ({ params: { path, line, limit } }) =>
        new Promise<{ content: string }>((resolve, reject) => {
          const grant = (content: string) => resolve({ content });
          const refuse = (why: string) => reject(new RequestError(refusedCode, why));
          const range = { ...(typeof line === "number" && { line }), ...(typeof limit === "number" && { limit }) };
          tell({ type: "request", request: { kind: "read", path, ...range, grant, refuse } });
        }),
    )
    .onRequest(
      "fs/write_text_file",
      ({ params: { path, content } }) =>
        new Promise<Record<string, never>>((resolve, reject) => {
          const refuse = (why: string) => reject(new RequestError(refusedCode, why));
          tell({ type: "request", request: { kind: "write", path, content, grant: () => resolve({}), refuse } });
        }),
    )
    .onRequest("session/request_permission", ({ params }) => askPermission(params));

  function hear(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        tell({ type: "text", text: textOf(update.content) });
        break;
      case "agent_thought_chunk":
        tell({ type: "thought", text: textOf(update.content) });
        break;
      case "tool_call":
      case "tool_call_update": {
        const { toolCallId, status, content } = update;
        if (status !== "completed" && status !== "failed") break;
        const text = (content ?? []).map((each) => (each.type === "content" ? textOf(each.content) : "")).join("\n");
        finished.get(toolCallId)?.({ text, isError: status === "failed" });
        finished.delete(toolCallId);
        break;
      }
      default:
        break;
    }
  }

  function askPermission({ toolCall, options }: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const { promise: done, resolve: finish } = Promise.withResolvers<{ text: string; isError: boolean }>();
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
  }

  function settleCalls(): void {
    for (const finish of finished.values()) finish({ text: "", isError: false });
    finished.clear();
  }

  // Node's web streams and the global ones are the same at run time and differ in their types only.
  const input = Readable.toWeb(process.output as Readable) as ReadableStream<Uint8Array>;
  const output = Writable.toWeb(process.input as Writable) as WritableStream<Uint8Array>;
  const { agent } = app.connect(ndJsonStream(output, input));
  const gone = process.gone.then((why) => {
    goneBecause = why;
    settleCalls();
    tell({ type: "failed", problem: why });
    return Promise.reject(new RequestError(refusedCode, why));
  });
  gone.catch(() => undefined);
  const answered = <Value>(request: Promise<Value>) => Promise.race([request, gone, late()]);
  await answered(
    agent.request<InitializeResponse>("initialize", {
      protocolVersion,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
      clientInfo: { name: "kedge", version: place.kedgeVersion },
    }),
  );
  const { sessionId } = await answered(
    agent.request<NewSessionResponse>("session/new", { cwd: place.cwd, mcpServers: [] }),
  );

  return {
    async next() {
      for (;;) {
        const news = queue.shift();
        if (news !== undefined) return news;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    prompt(text) {
      agent.request<PromptResponse>("session/prompt", { sessionId, prompt: [{ type: "text", text }] }).then(
        ({ stopReason }) => {
          settleCalls();
          tell({ type: "ended", reason: stopReason });
        },
        async (error: unknown) => {
          settleCalls();
          // The end of the process says more than that of its pipes, and is told by itself.
          await Promise.race([process.gone, new Promise((resolve) => setTimeout(resolve, endMsMax).unref())]);
          if (goneBecause === undefined) tell({ type: "failed", problem: messageOf(error) });
        },
      );
    },
    cancel: () => void agent.notify("session/cancel", { sessionId }),
    isGone: () => goneBecause !== undefined,
    close: process.kill,
  };
}

function late(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`it did not respond within ${startMsMax / 1_000} s`)), startMsMax).unref();
  });
}

function textOf(content: ContentBlock): string {
  return content.type === "text" ? content.text : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
