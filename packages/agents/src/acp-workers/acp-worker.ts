/** Another agent's process that speaks the Agent Client Protocol: its session, what it says, and what it asks for. */
import { Readable, Writable } from "node:stream";
import type {
  ContentBlock,
  InitializeResponse,
  NewSessionResponse,
  PromptResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { type AcpNews, createAcpNews } from "./acp-news.ts";
import { createAcpRequests } from "./acp-requests.ts";
import { loadSdk } from "./load-sdk.ts";

/** Its pipes. Killing it ends everything that it started. */
export type AcpProcess = {
  readonly input: NodeJS.WritableStream;
  readonly output: NodeJS.ReadableStream;
  /** Resolves when it is gone, with what ended it. */
  readonly gone: Promise<string>;
  kill(): void;
};

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
  const news = createAcpNews();
  const { tell } = news;
  const requests = createAcpRequests(tell, (why) => new RequestError(refusedCode, why));
  let goneBecause: string | undefined;

  const app = client({ name: "kedge" })
    .onNotification("session/update", ({ params }) => hear(params.update))
    .onRequest("fs/read_text_file", ({ params }) => requests.read(params))
    .onRequest("fs/write_text_file", ({ params }) => requests.write(params))
    .onRequest("session/request_permission", ({ params }) => requests.askPermission(params));

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
        requests.callEnded(toolCallId, { text, isError: status === "failed" });
        break;
      }
      default:
        break;
    }
  }

  // Node's web streams and the global ones are the same at run time and differ in their types only.
  const input = Readable.toWeb(process.output as Readable) as ReadableStream<Uint8Array>;
  const output = Writable.toWeb(process.input as Writable) as WritableStream<Uint8Array>;
  const { agent } = app.connect(ndJsonStream(output, input));
  const gone = process.gone.then((why) => {
    goneBecause = why;
    requests.settle();
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
    next: news.next,
    prompt(text) {
      agent.request<PromptResponse>("session/prompt", { sessionId, prompt: [{ type: "text", text }] }).then(
        ({ stopReason }) => {
          requests.settle();
          tell({ type: "ended", reason: stopReason });
        },
        async (error: unknown) => {
          requests.settle();
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
