/** What a person grants in the session of a leader reaches workers in other processes, questions that wait included. */
import type { ProtocolMessage } from "@kedge/agents/teams";
import type { Asking, Engine } from "@kedge/engine";
import type { Fact, PermissionRequest, PermissionRule } from "@kedge/protocol";
import { expect, test } from "vitest";
import { followLeader } from "../../src/teams/follow-leader.ts";
import { createRemoteLeader } from "../../src/teams/remote-leader.ts";

const directory: PermissionRule = { permission: "external_directory", pattern: "/srv/data/*", action: "allow" };

/** Only what is subscribed to. */
function tellingEngine() {
  const told: ((fact: Partial<Fact>) => void)[] = [];
  const subscribe: Engine["subscribe"] = (sessionId, listener) => {
    expect(sessionId).toBe("leader");
    told.push((fact) => listener({ kind: "fact", record: { fact } } as Parameters<typeof listener>[0]));
    return () => told.splice(0);
  };
  return {
    engine: { subscribe } as unknown as Engine,
    tell(fact: Partial<Fact>) {
      for (const one of told) one(fact);
    },
  };
}

test("a granted directory and a changed mode are told, an answer for once is not", () => {
  const { engine, tell } = tellingEngine();
  const sent: ProtocolMessage[] = [];
  const stop = followLeader(engine, "leader", (message) => sent.push(message));
  tell({ type: "permission.answered", reply: "once", grants: [] });
  tell({ type: "permission.answered", reply: "session", grants: [directory] });
  tell({ type: "mode.changed", mode: "plan" });
  expect(sent).toEqual([
    { type: "team_permission_update", rules: [directory] },
    { type: "mode_set", mode: "plan" },
  ]);
  stop();
  tell({ type: "mode.changed", mode: "default" });
  expect(sent).toHaveLength(2);
});

test("a worker takes the rule over, settles what it covers, withdraws that question, and keeps its mode", async () => {
  const sent: ProtocolMessage[] = [];
  const remote = createRemoteLeader({
    launch: { leader: { sessionId: "leader", rules: [], onlyLooks: false, mode: "default", grants: [] } },
    send: async (_: string, message: ProtocolMessage) => void sent.push(message),
    onNotice: (sentence: string) => expect.unreachable(sentence),
  } as unknown as Parameters<typeof createRemoteLeader>[0]);
  const { leader } = remote;
  const ask = (requestId: string, isCovered: () => boolean) =>
    leader.questions.ask(
      ...([
        undefined,
        { requestId, tool: "read", patterns: ["/srv/data/*"] } as unknown as PermissionRequest,
        { grants: [], signal: new AbortController().signal, isCovered } as unknown as Asking,
      ] as unknown as Parameters<typeof leader.questions.ask>),
    );
  const covered = ask("one", () => leader.grants().includes(directory));
  const other = ask("two", () => false);
  remote.heard({ type: "team_permission_update", rules: [directory] });
  expect(await covered).toEqual({ reply: "once", source: "sibling" });
  expect([leader.grants(), leader.mode(), remote.waiting()]).toEqual([[directory], "default", 1]);
  expect(sent.at(-1)).toEqual({ type: "permission_cancelled", requestId: "one" });
  remote.heard({ type: "permission_response", requestId: "two", decision: "reject" });
  expect(await other).toEqual({ reply: "reject", source: "user" });
});
