/** A home, a mock model that plays a parent and its agents, the real program, and what must hold of every agent afterwards. */
import type { AgentStatus, Fact, FactRecord, Store } from "@kedge/protocol";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { expect } from "vitest";
import { type CrashBench, openCrashBench, openStore } from "../crash/crash-bench.ts";

export type AgentBench = CrashBench;

/** Says what each request is to be answered with, by the prompt of its conversation. */
export type AgentScript = {
  readonly parent: (request: MockRequest) => MockTurn;
  /** By the first prompt of the conversation. */
  readonly child: (prompt: string, request: MockRequest) => MockTurn;
};

export function openAgentBench(script: AgentScript, settings: object = {}): Promise<AgentBench> {
  return openCrashBench(
    (request) => {
      const prompt = firstPrompt(request);
      return prompt.startsWith("child ") ? script.child(prompt, request) : script.parent(request);
    },
    ["echo mark >> marks.txt"],
    { titles: { enabled: false }, memory: { enabled: false }, ...settings },
  );
}

export function textOfMessage(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { readonly text?: string }) => part.text ?? "").join("");
}

/** The prompt that began the conversation; reminders and data stand around it. */
export function firstPrompt({ body }: MockRequest): string {
  const said = (body.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => textOfMessage(content));
  const text = said.join("\n");
  return /(?:^|\n)(child [^\n]*)/.exec(text)?.[1] ?? text;
}

export function resultsOf({ body }: MockRequest): readonly string[] {
  return (body.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => textOfMessage(content));
}

export function agentCall(id: string, input: object): NonNullable<MockTurn["toolCalls"]>[number] {
  return { id, name: "agent", input };
}

export type StoredTree = {
  readonly parent: readonly FactRecord[];
  readonly children: ReadonlyMap<string, readonly FactRecord[]>;
};

export async function storedTree(store: Store, directory: string): Promise<StoredTree | undefined> {
  const sessions = await store.sessions({ directory, limit: 100 });
  const parent = sessions.find(({ parentId }) => parentId === undefined);
  if (parent === undefined) return undefined;
  const children = new Map<string, readonly FactRecord[]>();
  for (const { sessionId, parentId } of sessions) {
    // What is derived from the records is compared with them, so it is made first.
    await store.catchUp(sessionId);
    const { valid, truncated, problem } = await store.verify(sessionId);
    expect({ valid, truncated, problem }).toEqual({ valid: true, truncated: false, problem: undefined });
    if (parentId !== undefined) children.set(sessionId, await recordsOf(store, sessionId));
  }
  return { parent: await recordsOf(store, parent.sessionId), children };
}

export async function recordsOf(store: Store, sessionId: string): Promise<readonly FactRecord[]> {
  const records: FactRecord[] = [];
  for await (const record of store.read(sessionId, 0)) records.push(record);
  return records;
}

export function factsOf<Type extends Fact["type"]>(
  records: readonly FactRecord[],
  type: Type,
): readonly Extract<Fact, { type: Type }>[] {
  return records.flatMap(({ fact }) => (fact.type === type ? [fact as Extract<Fact, { type: Type }>] : []));
}

/** Every agent that was started has exactly one end, and the model was told of each end exactly once. */
export function expectOneEndEach({ parent, children }: StoredTree): readonly AgentStatus[] {
  const started = factsOf(parent, "agent.started").map(({ agentId }) => agentId);
  const ended = factsOf(parent, "agent.ended");
  expect(ended.map(({ agentId }) => agentId).toSorted()).toEqual(started.toSorted());
  for (const agentId of children.keys()) expect(started).toContain(agentId);
  const told = new Map(started.map((agentId) => [agentId, 0]));
  for (const { fact } of parent) {
    if (fact.type === "tool.ended" && fact.tool === "agent" && fact.outcome !== "interrupted") {
      for (const agentId of agentsIn(fact.metadata)) told.set(agentId, (told.get(agentId) ?? 0) + 1);
    }
    if (fact.type !== "step.started") continue;
    for (const { source, origin } of fact.sent ?? []) {
      if (source === "agents") told.set(origin, (told.get(origin) ?? 0) + 1);
    }
  }
  for (const [agentId, times] of told) expect({ agentId, times }).toEqual({ agentId, times: 1 });
  return ended.map(({ status }) => status);
}

function agentsIn(metadata: unknown): readonly string[] {
  const { agents = [] } = (metadata ?? {}) as { readonly agents?: readonly { agentId?: string; status: string }[] };
  return agents.flatMap(({ agentId, status }) =>
    agentId === undefined || status === "async_launched" ? [] : [agentId],
  );
}

/** No call of any session started twice, and each has one end. */
export function expectCallsOnce({ parent, children }: StoredTree): void {
  for (const records of [parent, ...children.values()]) {
    const started = factsOf(records, "tool.started").map(({ callId }) => callId);
    expect(started).toEqual([...new Set(started)]);
    const ended = factsOf(records, "tool.ended").map(({ callId }) => callId);
    expect(ended).toEqual([...new Set(ended)]);
    for (const callId of started) expect(ended).toContain(callId);
  }
}

export { openStore };
