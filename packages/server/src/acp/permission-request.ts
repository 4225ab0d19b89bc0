/** A permission question as an editor is asked it, and what its answer means. */
import type {
  PermissionOption,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import {
  type AskingAgent,
  type PermissionReply,
  type PermissionRequest,
  showTerminalControls,
  stripTerminalControls,
} from "@kedge/protocol";
import { type CallView, previewContent, textContent } from "./call-view.ts";
import { toolKindOf } from "./tool-kinds.ts";

export type AskedCall = {
  readonly sessionId: string;
  readonly request: PermissionRequest;
  /** Absent when nothing of the call was announced. */
  readonly call: CallView | undefined;
  readonly cwd: string;
};

export function permissionRequestOf({ sessionId, request, call, cwd }: AskedCall): RequestPermissionRequest {
  const { preview } = request;
  const content: ToolCallContent[] = [
    textContent(reasonText(request)),
    ...(preview === undefined ? [] : shownBefore(request, preview, cwd)),
  ];
  return { sessionId, toolCall: { ...viewOf(request, call), status: "pending", content }, options: optionsOf(request) };
}

/** Ids of an agent's calls are its own: one of the session may have the same, and is another call. */
function viewOf({ callId, tool, agent }: PermissionRequest, call: CallView | undefined) {
  const kind = toolKindOf(tool);
  if (agent === undefined) return call ?? { toolCallId: callId, kind, title: tool };
  return { toolCallId: `${agent.agentId} ${callId}`, kind, title: `${nameOf(agent)}: ${tool}` };
}

function nameOf({ agent, name }: AskingAgent): string {
  return stripTerminalControls(name === undefined ? `${agent} agent` : `${agent} agent ${name}`);
}

/** A plan is Markdown, which an editor shows as such. */
function shownBefore({ permission }: PermissionRequest, preview: string, cwd: string): readonly ToolCallContent[] {
  return permission === "plan" ? [textContent(preview)] : previewContent(preview, cwd);
}

/** Nothing of what a person must judge is taken away; what could hide something is made visible. */
function reasonText({ tool, reason, patterns, evidence = [], agent }: PermissionRequest): string {
  const asked = patterns.map((pattern) => `- \`${showTerminalControls(pattern)}\``);
  const known = evidence.map((line) => `- ${showTerminalControls(line)}`);
  const who = agent === undefined ? tool : `${tool}, called by the ${nameOf(agent)},`;
  const head = `${who} needs your permission: ${showTerminalControls(reason)}`;
  return [head, ...asked, ...(known.length > 0 ? ["", "Details:", ...known] : [])].join("\n");
}

/** What cannot be taken back offers "reject" first, and nothing that lasts. */
function optionsOf(request: PermissionRequest): PermissionOption[] {
  const once: PermissionOption = { optionId: "once", name: "Allow once", kind: "allow_once" };
  const reject: PermissionOption = { optionId: "reject", name: "Reject", kind: "reject_once" };
  if (request.isIrreversible) return [reject, once];
  return [once, ...lastingOptions(request), reject];
}

function lastingOptions({ permission, always, isSavable }: PermissionRequest): readonly PermissionOption[] {
  if (always.length === 0) return [];
  const what = `${permission} ${always.map(showTerminalControls).join(", ")}`;
  const session: PermissionOption = {
    optionId: "session",
    name: `Allow for this session: ${what}`,
    kind: "allow_always",
  };
  const project: PermissionOption = {
    optionId: "project",
    name: `Always allow in this project: ${what}`,
    kind: "allow_always",
  };
  return isSavable === true ? [session, project] : [session];
}

/** Undefined when the question was called off. What was not offered permits nothing. */
export function replyOf(outcome: RequestPermissionOutcome, request: PermissionRequest): PermissionReply | undefined {
  if (outcome.outcome === "cancelled") return undefined;
  const chosen = optionsOf(request).find(({ optionId }) => optionId === outcome.optionId)?.optionId;
  return replies.find((reply) => reply === chosen) ?? "reject";
}

const replies: readonly PermissionReply[] = ["once", "session", "project", "reject"];
