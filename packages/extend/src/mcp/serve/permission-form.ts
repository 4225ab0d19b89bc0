/** A permission question as an MCP client shows it to its user, and what the answer means. */
import { type FactOf, type PermissionReply, showTerminalControls } from "@kedge/protocol";
import { type InputRequest, inputRequired, inputResponse } from "@modelcontextprotocol/server";

type Asked = FactOf<"permission.asked">;

const previewCharactersMax = 4_000;

/** Nothing of what a person must judge is left out; what could hide something is made visible. */
export function permissionForm(request: Asked): InputRequest {
  const choices = [
    { const: "once", title: "Allow once" },
    ...(lasts(request) ? [{ const: "session", title: "Allow until this server ends" }] : []),
    { const: "reject", title: "Reject" },
  ];
  return inputRequired.elicit({
    message: messageOf(request),
    requestedSchema: {
      type: "object",
      properties: { decision: { type: "string", title: "Decision", oneOf: choices } },
      required: ["decision"],
    },
  });
}

function messageOf({ tool, reason, patterns, evidence = [], preview }: Asked): string {
  const asked = patterns.map((pattern) => `- ${showTerminalControls(pattern)}`);
  const known = evidence.map((line) => `- ${showTerminalControls(line)}`);
  const shown = preview === undefined ? [] : ["", showTerminalControls(preview.slice(0, previewCharactersMax))];
  return [`Allow ${tool}? ${showTerminalControls(reason)}`, ...asked, ...known, ...shown].join("\n");
}

function lasts({ always, isIrreversible }: Asked): boolean {
  return always.length > 0 && isIrreversible !== true;
}

/** What was not offered, not chosen or not understood permits nothing. */
export function permissionReply(responses: unknown, key: string, request: Asked): PermissionReply {
  const given = inputResponse(responses as Parameters<typeof inputResponse>[0], key);
  if (given.kind !== "elicit" || given.action !== "accept") return "reject";
  const decision = given.content?.["decision"];
  if (decision === "once") return "once";
  return decision === "session" && lasts(request) ? "session" : "reject";
}
