/** What hooks and MCP servers are to each other: tools that hooks call, and hooks of questions that servers ask. */

import type { CallServerTool, ElicitationHooks, HookedQuestion, QuestionAnswer } from "@kedge/extend/hooks";
import type { HookedRequest, QuestionHooks } from "@kedge/extend/mcp";
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import type { OpenedMcp } from "./open-mcp.ts";

/** A hook was configured by whoever runs it, so nobody is asked; the server answers it and no session. */
export function callServerTool(mcp: () => Pick<OpenedMcp, "hub"> | undefined): CallServerTool {
  return async ({ server, tool, input, timeoutMs }, signal) => {
    const found = (await mcp()?.hub())?.find(server);
    if (found === undefined) return { ok: false, problem: `there is no MCP server ${server}` };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const used = await found.live.use(
        (client) => client.callTool({ name: tool, arguments: { ...input } }, { signal: limit, timeout: timeoutMs }),
        () => false,
      );
      if (!used.ok) return { ok: false, problem: `its MCP server ${server} is ${used.state.state}` };
      const texts = used.value.content.flatMap((block) => (block.type === "text" ? block.text : []));
      if (used.value.isError === true) return { ok: false, problem: `its tool ${tool} of ${server} failed` };
      return { ok: true, text: texts.join("\n") };
    } catch {
      // What a server says of its failure stays in its log.
      const why = limit.aborted && !signal.aborted ? `did not respond within ${timeoutMs / 1_000} s` : "failed";
      return { ok: false, problem: `its tool ${tool} of ${server} ${why}` };
    }
  };
}

export function questionHooks(hooks: ElicitationHooks): QuestionHooks {
  return {
    asked: async (question, signal) => fitting(await hooks.asked(hooked(question), signal)),
    answered: async (question, answer, signal) => {
      const given: QuestionAnswer =
        answer.action === "accept"
          ? { action: "accept", ...(answer.content !== undefined && { content: answer.content as JsonObject }) }
          : answer;
      return fitting(await hooks.answered(hooked(question), given, signal));
    },
  };
}

function hooked({ server, callId, request }: HookedRequest): HookedQuestion {
  const { message } = request;
  if (request.mode === "url") return { server, callId, message, requested: { mode: "url", url: request.url } };
  const schema = isJsonObject(request.requestedSchema) ? (request.requestedSchema as JsonObject) : {};
  return { server, callId, message, requested: { mode: "form", schema } };
}

/** A form takes texts, numbers, switches and lists of texts alone; anything else answers nothing. */
function fitting(answer: QuestionAnswer | undefined): Awaited<ReturnType<QuestionHooks["asked"]>> {
  if (answer === undefined || answer.action !== "accept") return answer;
  const { content } = answer;
  if (content === undefined) return { action: "accept" };
  const entries = Object.entries(content);
  const isFitting = entries.every(
    (entry): entry is [string, string | number | boolean | string[]] =>
      ["string", "number", "boolean"].includes(typeof entry[1]) ||
      (Array.isArray(entry[1]) && entry[1].every((each) => typeof each === "string")),
  );
  return isFitting ? { action: "accept", content: Object.fromEntries(entries) as never } : { action: "decline" };
}
