/** The call that an event tells of, made from the event's own fields, for whoever tries a hook without a session. */
import { isJsonObject, type JsonObject, type Need, type PhasedCall } from "@kedge/protocol";
import { dialects } from "./dialects/dialects.ts";

/** Undefined for an event without a call. Names of kedge and of Claude Code are understood. */
export function sampleCall(fields: JsonObject, cwd: string): PhasedCall | undefined {
  const { tool_name: name, tool_input: given = {}, tool_use_id: callId, session_id: sessionId } = fields;
  if (typeof name !== "string" || !isJsonObject(given)) return undefined;
  const { claude } = dialects;
  const tool = Object.keys(claude.tools).find((ours) => claude.tools[ours] === name) ?? name;
  const names = Object.entries(claude.fields[tool] ?? {});
  const ours = (field: string) => names.find(([, theirs]) => theirs === field)?.[0] ?? field;
  const input = Object.fromEntries(Object.entries(given).map(([field, value]) => [ours(field), value]));
  return {
    sessionId: String(sessionId),
    callId: String(callId),
    tool,
    input,
    needs: needsOf(tool, input),
    readOnly: false,
    cwd,
    mode: "default",
  };
}

function needsOf(tool: string, { command, filePath }: JsonObject): readonly Need[] {
  if (typeof command === "string") {
    return [{ permission: "bash", patterns: [command], always: [], access: "execute" }];
  }
  if (typeof filePath !== "string") return [];
  const isReading = tool === "read";
  const access = isReading ? "read" : "write";
  const permission = isReading ? "read" : "edit";
  return [{ permission, patterns: [filePath], always: [], access, paths: [filePath] }];
}
