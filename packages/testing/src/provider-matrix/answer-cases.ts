/** The part of the provider matrix about answers that arrive, in all shapes and cut anywhere. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { ModelEvent, ToolSchema } from "@kedge/protocol";
import type { Peculiarity } from "../mock-model/mock-wire.ts";
import type { MockTurn } from "../mock-model/script.ts";
import { rounds } from "../rounds.ts";
import { createSeededRandom } from "../seeded-random.ts";
import {
  collect,
  type MatrixCase,
  type MatrixSubject,
  matrixRequest,
  merged,
  usualUsage,
  withMock,
} from "./matrix-case.ts";

type AnswerCase = {
  readonly name: string;
  /** Left out for wires that do not know this. */
  readonly only?: Peculiarity;
  readonly turn: MockTurn;
  readonly events: readonly ModelEvent[];
};

export function answerCases(subject: MatrixSubject): readonly MatrixCase[] {
  const answers: readonly AnswerCase[] = [
    {
      name: "plain text",
      turn: { text: 'Plain "text"\nwith \\ escapes\tand more.' },
      events: [text('Plain "text"\nwith \\ escapes\tand more.'), end("end")],
    },
    {
      name: "reasoning before text, with all usage counted once",
      turn: {
        reasoning: "First I think about it.",
        text: "Then I answer.",
        usage: { input: 100, output: 20, cached: 60, reasoning: 12 },
      },
      events: [
        ...reasoning("First I think about it.", subject),
        text("Then I answer."),
        { type: "end", stopReason: "end", usage: { ...usualUsage, input: 40, cacheRead: 60, reasoning: 12 } },
      ],
    },
    {
      name: "one tool call",
      turn: { toolCalls: [{ name: "read", input: { filePath: "a.txt" } }] },
      events: [...toolCall("call_1_0", "read", '{"filePath":"a.txt"}'), end("tool-calls")],
    },
    {
      name: "parallel tool calls, each whole as soon as the next begins",
      turn: {
        toolCalls: [
          { name: "read", input: { filePath: "a.txt" } },
          { name: "read", input: { filePath: "b.txt" } },
        ],
      },
      events: [
        ...toolCall("call_1_0", "read", '{"filePath":"a.txt"}'),
        ...toolCall("call_1_1", "read", '{"filePath":"b.txt"}'),
        end("tool-calls"),
      ],
    },
    {
      name: "text, then a tool call",
      turn: { text: "I look.", toolCalls: [{ name: "read", input: { filePath: "a.txt" } }] },
      events: [text("I look."), ...toolCall("call_1_0", "read", '{"filePath":"a.txt"}'), end("tool-calls")],
    },
    {
      name: "a tool call without an id gets a stable one",
      only: "calls-without-id",
      turn: { toolCalls: [{ name: "read", input: { filePath: "a.txt" }, id: "" }] },
      events: [...toolCall("call_chatcmpl-1_0", "read", '{"filePath":"a.txt"}'), end("tool-calls")],
    },
    {
      name: "the input of a call stays as the model wrote it",
      only: "inputs-as-text",
      turn: { toolCalls: [{ name: "read", inputText: '{ "filePath" : "b.txt" }' }] },
      events: [...toolCall("call_1_0", "read", '{ "filePath" : "b.txt" }'), end("tool-calls")],
    },
    {
      name: "output limit in text",
      turn: { text: "This is cut o", finishReason: "length" },
      events: [text("This is cut o"), end("output-limit")],
    },
    {
      name: "output limit in a tool call",
      only: "inputs-as-text",
      turn: { toolCalls: [{ name: "read", inputText: '{"filePath":"a' }], finishReason: "length" },
      events: [
        { type: "tool-input-delta", callId: "call_1_0", tool: "read", text: '{"filePath":"a' },
        {
          type: "tool-call",
          call: {
            type: "tool-call",
            callId: "call_1_0",
            tool: "read",
            inputText: '{"filePath":"a',
            incomplete: true,
          },
        },
        end("output-limit"),
      ],
    },
    { name: "refusal", turn: { text: "No.", finishReason: "content_filter" }, events: [text("No."), end("refused")] },
    {
      name: "an unknown reason",
      turn: { text: "Hm.", finishReason: "strange" },
      events: [text("Hm."), end("other")],
    },
    {
      name: "no closing mark",
      only: "no-closing-mark",
      turn: { text: "Fine.", omitDone: true },
      events: [text("Fine."), end("end")],
    },
  ];
  const { peculiarities } = subject.wire;
  return [
    ...answers
      .filter(({ only }) => only === undefined || peculiarities.has(only))
      .map(({ name, turn, events }) => ({
        name,
        run: () =>
          withMock([turn], subject, async (_mock, provider) => {
            assert.deepEqual(merged(await collect(provider)), events);
          }),
      })),
    ...(peculiarities.has("interleaved-calls") ? [interleavedCalls(subject)] : []),
    cutEverywhere(subject),
    wholeAnswer(subject),
    structuredOutput(subject),
    requestHeaders(subject),
  ];
}

function interleavedCalls(subject: MatrixSubject): MatrixCase {
  const calls = [
    { name: "read", input: { filePath: "a-long-name.txt" } },
    { name: "read", input: { filePath: "b-long-name.txt" } },
  ];
  return {
    name: "parallel tool calls whose inputs arrive in turn",
    run: () =>
      withMock([{ toolCalls: calls, interleave: true, deltaCharacters: 5 }], subject, async (_mock, provider) => {
        const events = await collect(provider);
        assert.deepEqual(
          events.filter((event) => event.type !== "tool-input-delta"),
          [
            ...toolCall("call_1_0", "read", '{"filePath":"a-long-name.txt"}').slice(1),
            ...toolCall("call_1_1", "read", '{"filePath":"b-long-name.txt"}').slice(1),
            end("tool-calls"),
          ],
        );
      }),
  };
}

function cutEverywhere(subject: MatrixSubject): MatrixCase {
  const turn: MockTurn = {
    reasoning: "Größe?",
    text: 'Zwölf 漢字, 👩‍👩‍👧 "und"\n\\ mehr Text danach.',
    toolCalls: [{ name: "read", input: { filePath: "ä👍.txt" } }],
    deltaCharacters: 12,
  };
  return {
    name: "an answer cut after every number of bytes, also inside characters",
    run: () => {
      const bytes = Buffer.byteLength(subject.wire.streamed(turn, { model: "mock-model", number: 1 }));
      const sizes = cutSizes(bytes);
      const script = (_request: unknown, turnIndex: number) => ({ ...turn, splitEveryBytes: sizes[turnIndex] ?? 1 });
      return withMock(script, subject, async (_mock, provider) => {
        for (const [index, size] of sizes.entries()) {
          assert.deepEqual(
            merged(await collect(provider)),
            [
              ...reasoning(turn.reasoning ?? "", subject),
              text(turn.text ?? ""),
              ...toolCall(`call_${index + 1}_0`, "read", '{"filePath":"ä👍.txt"}'),
              end("tool-calls"),
            ],
            `cut every ${size} bytes`,
          );
        }
      });
    },
  };
}

/** Every size up to the length of a line, then some of those that cut an answer in few places. All of them with `--long`. */
function cutSizes(bytes: number): readonly number[] {
  const all = Array.from({ length: bytes }, (_, index) => index + 1);
  const random = createSeededRandom();
  return [...all.slice(0, 60), ...random.shuffle(all.slice(60)).slice(0, rounds({ usual: 60, long: bytes }))];
}

function wholeAnswer(subject: MatrixSubject): MatrixCase {
  const body = subject.wire.whole({ text: "All at once." }, { model: "mock-model", number: 1 });
  return {
    name: "a whole answer instead of a stream",
    run: () =>
      withMock([{ body, contentType: "application/json; charset=utf-8" }], subject, async (_mock, provider) => {
        assert.deepEqual(await collect(provider), [text("All at once."), end("end")]);
      }),
  };
}

/** An answer in a wanted form is the input of the only tool there is. */
function structuredOutput(subject: MatrixSubject): MatrixCase {
  const tool: ToolSchema = {
    name: "structured_output",
    description: "Gives the final answer in the wanted form. Call it once, last.",
    inputSchema: {
      type: "object",
      properties: {
        verdict: { type: "string", enum: ["good", "bad"] },
        lines: { type: "array", items: { type: "integer" } },
        note: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      },
      required: ["verdict", "lines", "note"],
    },
  };
  const input = { verdict: "good", lines: [1, 22], note: { text: 'Größe "7" 👍' } };
  return {
    name: "structured output",
    run: () =>
      withMock([{ toolCalls: [{ name: tool.name, input }] }], subject, async (mock, provider) => {
        const events: ModelEvent[] = [];
        const request = { ...matrixRequest, tools: [tool] };
        for await (const event of provider.stream(request, new AbortController().signal)) events.push(event);
        assert.deepEqual(merged(events), [
          ...toolCall("call_1_0", tool.name, JSON.stringify(input)),
          end("tool-calls"),
        ]);
        const body: unknown = JSON.parse(mock.requests[0]?.raw.toString() ?? "");
        assert.ok(holds(body, tool.name), "The request names the tool.");
        assert.ok(holds(body, tool.inputSchema), "The request carries the schema as it is.");
      }),
  };
}

/** Whether a value stands anywhere within another: each wire has its own place for the same thing. */
function holds(whole: unknown, part: unknown): boolean {
  if (isDeepStrictEqual(whole, part)) return true;
  return typeof whole === "object" && whole !== null && Object.values(whole).some((member) => holds(member, part));
}

function requestHeaders(subject: MatrixSubject): MatrixCase {
  return {
    name: "the client's request id goes out as a header, the vendor's comes back",
    run: () =>
      withMock([{ text: "Hi.", headers: { "x-request-id": "req_7" } }], subject, async (mock, provider) => {
        const events = await collect(provider);
        assert.deepEqual(events.at(-1), { ...end("end"), providerRequestId: "req_7" });
        assert.ok(Object.values(mock.requests[0]?.headers ?? {}).includes(matrixRequest.requestId));
      }),
  };
}

function text(value: string): ModelEvent {
  return { type: "text-delta", text: value };
}

function reasoning(value: string, { wire: { reasoningSignature: signature } }: MatrixSubject): readonly ModelEvent[] {
  const delta: ModelEvent = { type: "reasoning-delta", text: value };
  return signature === undefined ? [delta] : [delta, { type: "block-end", block: "reasoning", signature }];
}

function toolCall(callId: string, tool: string, inputText: string): readonly ModelEvent[] {
  return [
    { type: "tool-input-delta", callId, tool, text: inputText },
    { type: "tool-call", call: { type: "tool-call", callId, tool, inputText } },
  ];
}

function end(stopReason: Extract<ModelEvent, { type: "end" }>["stopReason"]): ModelEvent {
  return { type: "end", stopReason, usage: usualUsage };
}
