/** The session that a worker in a pane works for, seen from the worker: its rules, its mode, and its queue of questions. */

import { leaderName, type ProtocolMessage } from "@kedge/agents/teams";
import type { Asking, GivenAnswer, Leader, Questions } from "@kedge/engine";
import type {
  JsonObject,
  PermissionAnswer,
  PermissionMode,
  PermissionReply,
  PermissionRequest,
  PermissionRule,
} from "@kedge/protocol";
import type { Launch } from "./launch.ts";

export type RemoteLeaderParts = {
  readonly launch: Pick<Launch, "leader">;
  readonly send: (to: string, message: ProtocolMessage) => Promise<void>;
  readonly onNotice: (sentence: string) => void;
};

export type RemoteLeader = {
  readonly leader: Leader;
  /** An answer, a rule or a mode that the leader sealed. */
  heard(message: ProtocolMessage): void;
  waiting(): number;
};

type Waiting = { readonly asking: Asking; readonly answered: (answer: GivenAnswer) => void };

export function createRemoteLeader({ launch, send, onNotice }: RemoteLeaderParts): RemoteLeader {
  const { rules, onlyLooks } = launch.leader;
  let { mode, grants } = launch.leader;
  const waiting = new Map<string, Waiting>();

  function settle(requestId: string, answer: GivenAnswer): boolean {
    const entry = waiting.get(requestId);
    waiting.delete(requestId);
    entry?.answered(answer);
    return entry !== undefined;
  }

  /** Nobody waits for the leader any more, and it should not ask. */
  function withdraw(requestId: string, answer: GivenAnswer): void {
    if (settle(requestId, answer))
      void send(leaderName, { type: "permission_cancelled", requestId }).catch(() => undefined);
  }

  const questions: Questions = {
    async ask(_, request: PermissionRequest, asking) {
      const { requestId } = request;
      const { promise, resolve } = Promise.withResolvers<GivenAnswer>();
      waiting.set(requestId, { asking, answered: resolve });
      const interrupt = () => withdraw(requestId, { reply: "reject", source: "interrupt" });
      asking.signal.addEventListener("abort", interrupt, { once: true });
      try {
        await send(leaderName, messageOf(request, asking.grants));
        if (asking.signal.aborted) interrupt();
        return await promise;
      } finally {
        asking.signal.removeEventListener("abort", interrupt);
        waiting.delete(requestId);
      }
    },
    async answer(requestId, answer: PermissionAnswer, source = "user") {
      withdraw(requestId, { ...answer, source });
      return undefined;
    },
  };

  function answered({ requestId, decision, message, updatedInput }: ProtocolMessage): void {
    const id = String(requestId);
    const entry = waiting.get(id);
    // Of a question that was answered, or that nobody asked.
    if (entry === undefined) {
      onNotice("An answer to a question that is no longer open was dropped.");
      return;
    }
    const reply = decision as PermissionReply;
    const input = updatedInput as JsonObject | undefined;
    const objection = input === undefined ? undefined : entry.asking.objectionTo(input);
    if (objection !== undefined) return void settle(id, { reply: "reject", source: "user", message: objection });
    settle(id, {
      ...{ reply, source: "user" },
      ...(typeof message === "string" && { message }),
      ...(input !== undefined && { updatedInput: input }),
    });
  }

  /** What is covered by now needs no answer. */
  function granted(added: readonly PermissionRule[]): void {
    grants = [...grants, ...added];
    for (const [requestId, { asking }] of [...waiting]) {
      if (asking.isCovered()) withdraw(requestId, { reply: "once", source: "sibling" });
    }
  }

  /** No grant and no input: a plan is approved or sent back with words. */
  function judged({ requestId, approved, feedback }: ProtocolMessage): void {
    const answer = { reply: approved === true ? "once" : "reject", source: "user" } as const;
    const words = typeof feedback === "string" && feedback !== "" ? { message: feedback } : {};
    if (!settle(String(requestId), { ...answer, ...words }))
      onNotice("An answer to a plan that is no longer presented was dropped.");
  }

  return {
    leader: {
      rules,
      onlyLooks,
      grants: () => grants,
      mode: () => mode,
      questions,
      // Questions of the model go to the leader as messages.
      dialogue: { ask: async () => undefined, answer: async () => undefined },
    },
    heard(message) {
      if (message.type === "permission_response" || message.type === "sandbox_network_response") answered(message);
      else if (message.type === "plan_approval_response") judged(message);
      else if (message.type === "team_permission_update") granted(message["rules"] as readonly PermissionRule[]);
      else if (message.type === "mode_set") mode = message["mode"] as PermissionMode;
    },
    waiting: () => waiting.size,
  };
}

/** Plans and hosts are messages of their own, so that whoever looks into the mailbox sees what they are about. */
function messageOf(request: PermissionRequest, grants: readonly PermissionRule[]): ProtocolMessage {
  const { requestId, tool, patterns, preview = "" } = request;
  const asked = { requestId, request: { ...request }, grants: [...grants] };
  if (tool === "sandbox_network") return { type: "sandbox_network_request", ...asked, host: patterns[0] ?? "" };
  if (tool !== "plan_exit") return { type: "permission_request", ...asked };
  const path = (patterns[0] ?? "").replace(/^exit /, "");
  return { type: "plan_approval_request", requestId, path, plan: preview, request: { ...request } };
}
