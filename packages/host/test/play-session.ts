/** One prompt in a session of the whole program against a scripted model, with every question answered. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fact, FactOf, PermissionMode, PermissionReply } from "@kedge/protocol";
import { type MockToolCall, startMockModel } from "@kedge/testing";
import type { Kedge } from "../src/index.ts";
import { openAssembled } from "./assembled-kedge.ts";

export type Story = {
  /** A directory of the test; the home of the user is made in it. */
  readonly place: string;
  readonly project: string;
  /** One per turn. */
  readonly calls: readonly MockToolCall[];
  readonly mode: PermissionMode;
  readonly interactive: boolean;
  readonly settings?: object;
  /** Programs before those of the machine. */
  readonly programs?: string;
  readonly answer: (question: FactOf<"permission.asked">) => PermissionReply;
};

export type Played = { readonly facts: readonly Fact[]; close(): Promise<void> };

export async function playSession(story: Story): Promise<Played> {
  const userDirectory = join(story.place, "home");
  const homeDirectory = join(userDirectory, ".kedge");
  mkdirSync(homeDirectory, { recursive: true });
  const model = await startMockModel({
    script: [...story.calls.map((call) => ({ toolCalls: [call] })), { text: "Done." }],
  });
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key" } };
  writeFileSync(join(homeDirectory, "config.json"), JSON.stringify({ provider, ...story.settings }));
  const { PATH = "" } = process.env;
  const environment = { HOME: userDirectory, PATH: story.programs === undefined ? PATH : `${story.programs}:${PATH}` };
  const { project, interactive } = story;
  const kedge = await openAssembled({ project, userDirectory, homeDirectory, environment, interactive });
  const close = async () => {
    await kedge.close();
    await model.close();
  };
  try {
    return { facts: await runPrompt(kedge, story), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function runPrompt({ engine }: Kedge, { mode, answer }: Story): Promise<readonly Fact[]> {
  const created = await engine.send({ type: "session.create", mode, model: "mock/mock-model" });
  if (!created.ok) throw new Error(created.failure.message);
  const { sessionId } = created.value;
  const facts: Fact[] = [];
  const over = Promise.withResolvers<void>();
  engine.subscribe(sessionId, (event) => {
    if (event.kind !== "fact") return;
    const { fact } = event.record;
    facts.push(fact);
    if (fact.type === "run.ended") over.resolve();
    if (fact.type !== "permission.asked") return;
    const { requestId } = fact;
    engine.send({ type: "permission.answer", sessionId, requestId, reply: answer(fact) }).catch(over.reject);
  });
  await engine.send({ type: "prompt.submit", sessionId, text: "go", delivery: "steer", options: {} });
  await over.promise;
  return facts;
}
