/** Questions of workers in other processes, in the queue of the leader: each answered once, gone with its worker. */
import type { ProtocolMessage, TeamMember } from "@kedge/agents/teams";
import {
  isJsonObject,
  type JsonObject,
  type PermissionAnswer,
  type PermissionMode,
  type PermissionRequest,
  type PermissionRule,
} from "@kedge/protocol";
import { modeAfterPlanning } from "./planning-member.ts";
import type { TeamParts } from "./team-parts.ts";
import { findOpen } from "./team-parts.ts";

export type QuestionParts = Pick<TeamParts, "engine" | "onNotice"> & {
  readonly leaderId: string;
  /** Sends an answer to a worker, sealed by the leader. */
  readonly answer: (member: string, message: ProtocolMessage) => Promise<void>;
};

export interface LeaderQuestions {
  asked(member: TeamMember, message: ProtocolMessage): void;
  cancelled(member: TeamMember, requestId: string): void;
  /** Its worker is gone, and nobody waits for an answer. */
  forget(member: Pick<TeamMember, "name">): void;
}

type Waiting = { readonly member: string; readonly stop: AbortController };

export function createLeaderQuestions({ engine, leaderId, answer, onNotice }: QuestionParts): LeaderQuestions {
  const waiting = new Map<string, Waiting>();

  async function ask(
    member: TeamMember,
    requestId: string,
    request: PermissionRequest,
    grants: readonly PermissionRule[],
  ) {
    const stop = new AbortController();
    const open = findOpen(engine, leaderId);
    if (open === undefined) return;
    waiting.set(requestId, { member: member.name, stop });
    try {
      const { reply, message, updatedInput } = await open.askFor(request, { grants, signal: stop.signal });
      if (stop.signal.aborted) return;
      const given = {
        ...{ requestId, reply, mode: modeAfterPlanning(open.state.mode) },
        ...(message !== undefined && { message }),
        ...(updatedInput !== undefined && { updatedInput }),
      };
      await answer(member.name, answerTo(request.tool, given));
    } finally {
      waiting.delete(requestId);
    }
  }

  return {
    asked(member, message) {
      const { requestId, request, grants = [] } = message;
      const known = isJsonObject(request) ? requestOf(request as JsonObject, member, leaderId) : undefined;
      if (typeof requestId !== "string" || waiting.has(requestId) || known === undefined) return;
      ask(member, requestId, known, grants as readonly PermissionRule[]).catch((error: unknown) => {
        onNotice(
          `A question from ${member.name} could not be asked: ${error instanceof Error ? error.message : error}`,
        );
      });
    },
    cancelled(member, requestId) {
      const found = waiting.get(requestId);
      if (found?.member === member.name) found.stop.abort();
    },
    forget({ name }) {
      for (const { member, stop } of waiting.values()) if (member === name) stop.abort();
    },
  };
}

type Given = Pick<PermissionAnswer, "reply" | "message" | "updatedInput"> & {
  readonly requestId: string;
  /** Of a worker whose plan was approved. */
  readonly mode: PermissionMode;
};

/** Plans and hosts have answers of their own, which change no input. */
function answerTo(tool: string, { requestId, reply, message, updatedInput, mode }: Given): ProtocolMessage {
  if (tool === "plan_exit") {
    const feedback = message === undefined ? {} : { feedback: message };
    return { type: "plan_approval_response", requestId, approved: reply !== "reject", ...feedback, mode };
  }
  const decided = { requestId, decision: reply, ...(message !== undefined && { message }) };
  if (tool === "sandbox_network") return { type: "sandbox_network_response", ...decided };
  return { type: "permission_response", ...decided, ...(updatedInput !== undefined && { updatedInput }) };
}

/** Who asks is what the leader knows of its worker, whatever the message says. Saving rules is for its own questions. */
function requestOf(given: JsonObject, member: TeamMember, parentId: string): PermissionRequest | undefined {
  const { requestId, callId, tool, permission, reason, preview, inputText } = given;
  const texts = [requestId, callId, tool, permission, reason];
  if (!texts.every((text) => typeof text === "string")) return undefined;
  const evidence = textsOf(given["evidence"]);
  const { agentId, agent, name } = member;
  return {
    // Checked just above.
    ...({ requestId, callId, tool, permission, reason } as Pick<
      PermissionRequest,
      "requestId" | "callId" | "tool" | "permission" | "reason"
    >),
    patterns: textsOf(given["patterns"]),
    always: textsOf(given["always"]),
    ...(typeof preview === "string" && { preview }),
    ...(typeof inputText === "string" && { inputText }),
    ...(evidence.length > 0 && { evidence }),
    ...(given["isIrreversible"] === true && { isIrreversible: true }),
    agent: { agentId, agent, parentId, name },
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
