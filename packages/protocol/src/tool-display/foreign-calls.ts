/** Calls of tools that kedge does not know: those of servers and of users, and of a newer kedge. */
import { countedLines, durationInWords, joined } from "./amounts-in-words.ts";
import type { ShownCall } from "./shown-call.ts";
import type { Described } from "./tool-display.ts";

const serverTool = /^mcp__(.+?)__(.+)$/;

export function describeForeign(call: ShownCall): Described {
  const [, server, tool] = serverTool.exec(call.tool) ?? [];
  const isEmpty = Object.keys(call.input).length === 0;
  const input = isEmpty ? "" : JSON.stringify(call.input);
  // A custom tool may say how its result is shown.
  const { rendered } = call.metadata;
  return {
    name: server === undefined || tool === undefined ? call.tool : `${server} ${tool}`,
    title: call.metadata["isTitled"] === true ? (call.title ?? input) : input,
    summary:
      call.status === "done"
        ? joined(countedLines(call.output), call.durationMs === undefined ? "" : durationInWords(call.durationMs))
        : "",
    body:
      typeof rendered === "string" && call.status === "done"
        ? { kind: "text", text: rendered, isError: false }
        : { kind: "json", input: isEmpty ? "" : JSON.stringify(call.input, undefined, 2), output: call.output },
  };
}
