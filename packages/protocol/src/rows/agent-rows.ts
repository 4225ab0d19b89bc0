/** Rows of agents: who works for a session, and what can be done about it. */
import { type AgentSummary, agentColors } from "../contracts/agent-runs.ts";
import { agentStatuses } from "../facts/fact-words.ts";
import { flag, list, named, number, object, optional, schemaOf, text, textWithin, words, yes } from "../json/schema.ts";
import type { CommandRows, QueryRows } from "./row.ts";
import { cost, filled, jsonSchema, nothing, sessionId, time, usage } from "./words.ts";

const status = words(...agentStatuses);

const summary = schemaOf<AgentSummary>()(
  named(
    "Agent",
    object({
      agentId: text,
      parentId: text,
      agent: text,
      description: text,
      name: optional(text),
      state: words("running", "idle", "parked", "aborted"),
      status: optional(status),
      why: optional(text),
      isBackground: flag,
      depth: number,
      model: optional(text),
      startedAt: time,
      durationMs: number,
      usage,
      cost,
      turns: number,
      lastAction: optional(text),
      color: optional(words(...agentColors)),
      isAsking: optional(yes),
      isResting: optional(yes),
    }),
  ),
);

const definition = object({
  name: text,
  description: text,
  /** `shadowed`: another definition has its name. `refused`: the file cannot be used. */
  status: words("used", "shadowed", "refused"),
  mode: optional(text),
  tier: optional(text),
  source: optional(text),
  file: optional(text),
  model: optional(text),
  tools: optional(list(text)),
  isReadOnly: optional(flag),
  maxTurns: optional(number),
  why: optional(text),
  notes: list(text),
});

const agentId = sessionId;

export const agentCommandRows = {
  /** Starts an agent for a session. Its end arrives there as a notification. */
  "agent.start": {
    route: "POST /session/:sessionId/agent",
    scope: "prompt",
    fields: {
      sessionId,
      agent: filled,
      prompt: filled,
      description: textWithin({ minLength: 1, maxLength: 200 }),
      model: optional(text),
      name: optional(textWithin({ minLength: 1, maxLength: 48 })),
      outputSchema: optional(jsonSchema),
    },
    answer: object({ agentId: text }),
    needsOpenSession: true,
  },
  /** Reaches a running agent before its next model request, and wakes one that has finished. */
  "agent.message": {
    route: "POST /agent/:agentId/message",
    scope: "prompt",
    fields: { agentId, text: filled },
    answer: object({ messageId: text }),
  },
  /** Ends what the agent does now; a message continues it. */
  "agent.interrupt": {
    route: "POST /agent/:agentId/interrupt",
    scope: "prompt",
    fields: { agentId },
    answer: nothing,
  },
  /** Ends the agent and everything it started. */
  "agent.kill": { route: "DELETE /agent/:agentId", scope: "prompt", fields: { agentId }, answer: nothing },
  /** Continues an agent that ended before it finished. */
  "agent.revive": {
    route: "POST /agent/:agentId/revive",
    scope: "prompt",
    fields: { agentId, text: optional(filled) },
    answer: nothing,
  },
} as const satisfies CommandRows;

export const agentQueryRows = {
  /** Agents below a session, or of all sessions that are open here. */
  "agent.list": {
    route: "GET /agent",
    scope: "read",
    fields: { sessionId: optional(sessionId) },
    answer: object({ agents: list(summary) }),
  },
  "agent.read": {
    route: "GET /agent/:agentId",
    scope: "read",
    fields: { agentId },
    answer: object({ agent: summary, result: text }),
  },
  /** Agents that can be started, and definitions that are not used with the reason. */
  "agent.definitions": {
    route: "GET /agent/definition",
    scope: "read",
    fields: {},
    answer: object({ definitions: list(definition) }),
  },
} as const satisfies QueryRows;
