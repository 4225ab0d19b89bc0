/** A scripted model on loopback that speaks Chat Completions, so that the demo runs the real engine without a network. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject } from "@kedge/protocol";
import { demoTexts } from "../texts/demo.ts";

/** One answer: some words, and at most one call of a tool. */
export type ScriptedTurn = {
  readonly text: string;
  readonly call?: { readonly tool: string; readonly input: { readonly [name: string]: string } };
};

export type ModelServer = { readonly baseURL: string; close(): Promise<void> };

const wordsPerDelta = 3;

export async function startModelServer(script: readonly ScriptedTurn[]): Promise<ModelServer> {
  const server = createServer(async (request, response) => {
    // One result per call was sent back, so their number says which turn it is, also when a request is repeated.
    const turn = countResults(await readBody(request));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of answerChunks(script[turn] ?? { text: demoTexts.nothingLeft }, turn)) {
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on an address and port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function countResults(body: unknown): number {
  const messages = isJsonObject(body) && Array.isArray(body["messages"]) ? body["messages"] : [];
  return messages.filter((message) => isJsonObject(message) && message["role"] === "tool").length;
}

function answerChunks({ text, call }: ScriptedTurn, turn: number): readonly object[] {
  const words = text.split(/(?<= )/);
  const deltas: object[] = [];
  for (let index = 0; index < words.length; index += wordsPerDelta) {
    deltas.push({ content: words.slice(index, index + wordsPerDelta).join("") });
  }
  if (call !== undefined) {
    const { tool, input } = call;
    const toolCall = { index: 0, id: `call_${turn + 1}`, type: "function" };
    deltas.push({ tool_calls: [{ ...toolCall, function: { name: tool, arguments: JSON.stringify(input) } }] });
  }
  const finishReason = call === undefined ? "stop" : "tool_calls";
  const frame = (delta: object, finish: string | null) => ({
    id: `demo-${turn}`,
    object: "chat.completion.chunk",
    model: "scripted",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = { prompt_tokens: 900 + 150 * turn, completion_tokens: 40, total_tokens: 940 + 150 * turn };
  return [
    ...deltas.map((delta) => frame(delta, null)),
    frame({}, finishReason),
    { id: `demo-${turn}`, object: "chat.completion.chunk", model: "scripted", choices: [], usage },
  ];
}
