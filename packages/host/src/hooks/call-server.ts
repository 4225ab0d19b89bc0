/** Calls a tool of an MCP server for a hook: waits for its connection, and takes the texts of what it answers. */

import type { ServerAnswer, ServerCall } from "@kedge/extend/hooks";
import type { ServerHub } from "@kedge/extend/mcp";
import { reasonOf } from "@kedge/protocol";

/** `hub` is undefined where no server is configured. */
export async function callServer(
  { server, tool, input, timeoutMs }: ServerCall,
  hub: (() => Promise<ServerHub>) | undefined,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const found = (await hub?.())?.find(server);
  if (found === undefined) return { ok: false, problem: `there is no MCP server ${server}` };
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const used = await untilAborted(
      found.live.use(
        (client) => client.callTool({ name: tool, arguments: { ...input } }, { signal: deadline, timeout: timeoutMs }),
        () => false,
      ),
      deadline,
    );
    if (!used.ok) return { ok: false, problem: `the MCP server ${server} is not connected (${used.state.state})` };
    const { content = [], isError } = used.value;
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return isError === true
      ? { ok: false, problem: `${tool} of ${server} failed: ${text.slice(0, 200)}` }
      : { ok: true, text };
  } catch (error) {
    if (deadline.aborted && !signal.aborted) return { ok: false, problem: `${tool} of ${server} took too long` };
    return { ok: false, problem: `${tool} of ${server} failed: ${reasonOf(error)}` };
  }
}

/** A server that never connects is not waited for. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(new Error("it took too long")), { once: true });
  return Promise.race([work, promise]);
}
