/** One session of the whole program with given rules, in which a scripted model makes calls. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact } from "@kedge/protocol";
import { type MockToolCall, startMockModel } from "@kedge/testing";
import type { Kedge } from "../src/index.ts";
import { openAssembled } from "./assembled-kedge.ts";

type PlayedSession = {
  /** Names of the tools in the first request. */
  readonly offered: readonly string[];
  readonly facts: readonly Fact[];
  /** What lies in the workspace afterwards. */
  readonly project: string;
};

/** All calls in one turn, in bypass mode, so that nothing but the rules stands in their way. */
export async function playSession(
  calls: readonly MockToolCall[],
  permission: object,
  look: (session: PlayedSession) => void,
): Promise<void> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-host-aliases-")));
  const project = join(place, "w");
  const userDirectory = join(place, "home");
  const homeDirectory = join(userDirectory, ".kedge");
  mkdirSync(project);
  mkdirSync(homeDirectory, { recursive: true });
  writeFileSync(join(project, "a.txt"), "one\ntwo\n");
  const model = await startMockModel({ script: [{ toolCalls: calls }, { text: "Done." }] });
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key" } };
  writeFileSync(join(homeDirectory, "config.json"), JSON.stringify({ provider, permission }));
  try {
    const environment = { HOME: userDirectory, PATH: process.env["PATH"] ?? "" };
    const kedge = await openAssembled({ project, userDirectory, homeDirectory, environment, interactive: false });
    try {
      const facts = await run(kedge.engine);
      look({ offered: offeredIn(model.requests[0]?.raw.toString() ?? "{}"), facts, project });
    } finally {
      await kedge.close();
    }
  } finally {
    await model.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function run(engine: Kedge["engine"]): Promise<readonly Fact[]> {
  const created = await engine.send({ type: "session.create", mode: "bypass", model: "mock/mock-model" });
  if (!created.ok) throw new Error(created.failure.message);
  const { sessionId } = created.value;
  const facts: Fact[] = [];
  const over = Promise.withResolvers<void>();
  engine.subscribe(sessionId, (event) => {
    if (event.kind !== "fact") return;
    facts.push(event.record.fact);
    if (event.record.fact.type === "run.ended") over.resolve();
  });
  await engine.send({ type: "prompt.submit", sessionId, text: "go", delivery: "steer", options: {} });
  await over.promise;
  return facts;
}

function offeredIn(raw: string): readonly string[] {
  // The shape of the chat wire that the session was told to speak.
  const { tools = [] } = JSON.parse(raw) as {
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
  return tools.map((tool) => tool.function.name);
}
