/** Proves that streams as vendors really sent them are read right, and that the catalogue calls just these vendors tested. */
import { readFileSync } from "node:fs";
import type { ModelEvent, ModelRequest } from "@kedge/protocol";
import { type MockTurn, startMockModel } from "@kedge/testing";
import { expect, test } from "vitest";
import { openCatalogue } from "../src/catalogue/open-catalogue.ts";
import { createModels } from "../src/create-models.ts";

/**
 * Where a recording comes from. `framed`: the origin lists the events, and the fields and blank lines around them were
 * added as the vendor sends them. `completed`: so were the last events. `shortened`: pieces in the middle are left out.
 */
type Recording = {
  readonly provider: string;
  readonly file: string;
  readonly model: string;
  readonly origin: string;
  readonly framed?: true;
  readonly completed?: true;
  readonly shortened?: true;
};

const folder = new URL("./recorded-streams/", import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, folder), "utf8");
const recordings: readonly Recording[] = JSON.parse(textOf("index.json"));
const expectedEvents: { readonly [file: string]: readonly ModelEvent[] } = JSON.parse(textOf("expected-events.json"));
const catalogue = openCatalogue();
/** Few enough to cut every event several times, and also inside characters. */
const pieceBytes = 7;

async function replay(
  { provider: name, model: id, file }: Recording,
  faults: MockTurn,
): Promise<readonly ModelEvent[]> {
  const mock = await startMockModel({ script: [{ body: textOf(file), contentType: "text/event-stream", ...faults }] });
  try {
    const models = createModels({ [name]: { baseURL: mock.baseUrl, apiKey: "key" } }, { catalogue });
    const found = await models.find(`${name}/${id}`);
    if (!found.ok) throw new Error(found.failure.message);
    const events: ModelEvent[] = [];
    const request = { ...plainRequest, model: found.model };
    for await (const event of found.provider.stream(request, new AbortController().signal)) events.push(event);
    expect(mock.requests).toHaveLength(1);
    return merged(events);
  } finally {
    await mock.close();
  }
}

const plainRequest: Omit<ModelRequest, "model"> = {
  source: "main",
  conversationId: "ses_1",
  system: "You are a test.",
  tools: [{ name: "weather", description: "Tells the weather.", inputSchema: { type: "object" } }],
  messages: [{ role: "user", text: "Begin." }],
  outputTokensMax: 1_000,
  requestId: "req_1",
};

/** How many deltas there are depends on the network, what they say does not. */
function merged(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const result: ModelEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (last !== undefined && "text" in last && "text" in event && sameBlock(last, event))
      result[result.length - 1] = { ...last, text: last.text + event.text };
    else result.push(event);
  }
  return result;
}

function sameBlock(left: ModelEvent, right: ModelEvent): boolean {
  if (left.type === "tool-input-delta" && right.type === "tool-input-delta") return left.callId === right.callId;
  return left.type === right.type && (left.type === "text-delta" || left.type === "reasoning-delta");
}

test.each(recordings)("$file", async (recording) => {
  const events = expectedEvents[recording.file];
  expect(await replay(recording, {})).toEqual(events);
  expect(await replay(recording, { splitEveryBytes: pieceBytes })).toEqual(events);
});

test("every recording has an origin and an expectation", () => {
  for (const { origin } of recordings) expect(origin).toMatch(/^https:\/\//);
  expect(Object.keys(expectedEvents).sort()).toEqual(recordings.map(({ file }) => file).sort());
});

test("the catalogue calls tested exactly the vendors that have a recording", () => {
  const tested = catalogue.ids().filter((id) => catalogue.provider(id)?.tested === true);
  expect(tested.sort()).toEqual([...new Set(recordings.map(({ provider }) => provider))].sort());
});
