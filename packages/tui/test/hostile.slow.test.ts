/** Nothing that a model, a tool, a file or a peer prints steers the terminal, and none of it makes words vanish. */
import type { PartBody, ViewEvent } from "@kedge/protocol";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EngineScript } from "./fake-engine.ts";
import { foreignPieces, startPieces, stopPieces } from "./frame-grammar.ts";
import { anything, betweenWords, inPieces, pick } from "./hostile-text.ts";
import { type OpenApp, openApp } from "./open-app.ts";
import { rowEvents } from "./row-events.ts";
import { callOf, doneOf, failedOf, messageOf, promptOf } from "./transcript-samples.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
/** Wide enough for a line that is shown whole or cut. */
const size = { columns: 700, rows: 30 };
const timeout = 120_000;

const settings = { display: { smoothStreaming: false, showThinking: true }, diff: { layout: "unified" } };

let open: OpenApp | undefined;
afterEach(() => {
  open?.close();
  open = undefined;
});

async function opened(engine: EngineScript = {}): Promise<OpenApp> {
  open = openApp({ size, engine, settings });
  await open.until((screen) => screen.some((row) => row.startsWith("╰")), "prompt");
  // Without the sidebar, so that nothing stands beside a word that is wrapped.
  open.terminal.send("\u0018");
  open.terminal.send("b");
  await open.drawn();
  return open;
}

/** Everything written, judged; the start and the stop are known word for word. */
function expectOnlyFrames({ terminal }: OpenApp): void {
  expect(foreignPieces(terminal.pieces, [...startPieces, ...stopPieces])).toEqual([]);
}

let caseCount = 0;
function nextId(): string {
  caseCount += 1;
  return String(caseCount).padStart(6, "0");
}

/** Three words that no other case has, of letters alone. */
function wordsOf(id: string): readonly [string, string, string] {
  const name = id.replaceAll(/\d/g, (digit) => "klmnopqrst"[Number(digit)] ?? "");
  return [`alpha${name}`, `beta${name}`, `gamma${name}`];
}

/** Whether the words are there in their order, whatever stands between them and wherever they were wrapped. */
function areSeen(words: readonly string[], screen: readonly string[]): boolean {
  const letters = screen.join("").replaceAll(/[^a-z]/g, "");
  return new RegExp(words.join("[a-z]*")).test(letters);
}

type Place = (text: string, id: string) => PartBody;

const places: { readonly [name: string]: Place } = {
  answer: (text) => ({ type: "text", text }),
  thought: (text) => ({ type: "reasoning", text }),
  "output of a shell": (text) => doneOf("bash", { command: "run" }, { output: text, metadata: { exitCode: 0 } }),
  command: (text) => doneOf("bash", { command: text }, { output: "", metadata: { exitCode: 0 } }),
  error: (text) => failedOf("bash", { command: "run" }, text, 1),
  "path of an edit": (text) => doneOf("edit", { filePath: text, oldString: "a", newString: "b" }, { title: text }),
  "text of an edit": (text) => doneOf("edit", { filePath: "a.ts", oldString: "a", newString: text }),
  "diff of an edit": (text) =>
    doneOf("edit", { filePath: "a.ts" }, { metadata: { diff: diffOf(text), additions: 1, deletions: 0 } }),
  task: (text) => doneOf("todo", { todos: [{ content: text, status: "pending" }] }, {}),
  question: (text) => doneOf("question", { questions: [{ question: text, options: [{ label: "a" }] }] }, {}),
  "file that was changed": (text) => ({ type: "patch", before: "t", files: [{ path: text, status: "added" }] }),
};

function diffOf(text: string): string {
  return `--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,2 @@\n one\n+${text.replaceAll(/[\r\n]/g, "")}\n`;
}

function eventsOf(id: string, body: PartBody, isStreamed: boolean): readonly ViewEvent[] {
  const message = messageOf(id, { bodies: [body] });
  const [part] = message.parts;
  if (!isStreamed || part === undefined || (body.type !== "text" && body.type !== "reasoning")) {
    return rowEvents(promptOf(`${id}p`, "Go on."), message);
  }
  const { parts: _, completedAt, ...row } = { ...message, treeParent: `msg_${id}p` };
  const deltas = inPieces(random, body.text).map(
    (delta): ViewEvent => ({
      type: "message.part.delta",
      messageId: message.id,
      partId: part.id,
      field: "text",
      delta,
    }),
  );
  return [
    ...rowEvents(promptOf(`${id}p`, "Go on.")),
    { type: "message.updated", message: row },
    { type: "message.part.updated", part: { ...part, ...body, text: "" } },
    ...deltas,
    { type: "message.part.updated", part },
    { type: "message.updated", message: { ...row, ...(completedAt !== undefined && { completedAt }) } },
  ];
}

test(
  `what stands in the conversation (seed ${random.seed})`,
  async () => {
    const app = await opened();
    for (let round = 0; round < rounds({ usual: 6, long: 22 }); round += 1) {
      for (const [name, place] of Object.entries(places)) {
        const id = nextId();
        const words = wordsOf(id);
        const text = betweenWords(random, words);
        app.engine.tell(...eventsOf(id, place(text, id), random.below(2) === 0));
        const what = `${words.join(" ")} as ${name}: ${JSON.stringify(text)}`;
        await app.until((screen) => areSeen(words, screen), what);
      }
    }
    await app.drawn();
    expectOnlyFrames(app);
  },
  timeout,
);

test(
  `anything in any piece, without a promise about its words (seed ${random.seed})`,
  async () => {
    for (let round = 0; round < rounds({ usual: 3, long: 12 }); round += 1) {
      const app = await opened();
      for (let count = 0; count < 10; count += 1) {
        const id = nextId();
        const place = pick(random, Object.values(places));
        app.engine.tell(...eventsOf(id, place(anything(random), id), random.below(2) === 0));
        const call = callOf("bash", { command: anything(random) }, { status: "running", startedAt: 1 });
        app.engine.tell(...rowEvents(messageOf(`${id}c`, { bodies: [call] })));
        for (const text of inPieces(random, anything(random))) {
          app.engine.tell({ type: "task.progress", callId: "call_bash", count: 1, text, stream: "stdout" });
        }
        if (count % 3 === 0) await app.drawn();
      }
      await app.drawn();
      expectOnlyFrames(app);
      app.close();
    }
  },
  timeout,
);
