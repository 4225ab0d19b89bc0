/** Agents in the terminal: counted at the foot, asking with their badge, listed, read live, written to and ended. */
import type { MockRequest, MockTurn } from "@kedge/testing";
import { bashCall, paced } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { agentCall, firstPrompt, resultsOf } from "../agents/agents-bench.ts";
import { asked, openStage, send, startTimeoutMs, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };
const long = Array.from({ length: 4_000 }, (_, index) => `Found parser ${index} in src/file-${index}.ts.`).join("\n\n");

function call(id: string, more: object) {
  return agentCall(`call_${id}`, { prompt: `child ${id}`, run_in_background: true, name: id, ...more });
}

/** A session that starts two agents behind itself: one asks before it writes, one reports without an end. */
function script(request: MockRequest): MockTurn {
  const prompt = firstPrompt(request);
  const results = resultsOf(request);
  if (prompt.startsWith("child writer"))
    return results.length === 0 ? { toolCalls: [bashCall("touch made.txt")] } : { text: "The file is there." };
  if (prompt.startsWith("child survey")) {
    const isWrittenTo = JSON.stringify(request.body.messages).includes("Stop at ten.");
    return isWrittenTo ? { text: "Stopped at ten." } : paced({ text: long, deltaCharacters: 20 }, 60);
  }
  if (results.length > 0) return { text: "Both are on their way." };
  return {
    toolCalls: [
      call("writer", { description: "Make the file", subagent_type: "general" }),
      call("survey", { description: "Find the parsers", subagent_type: "explore" }),
    ],
  };
}

test("two agents behind a session: badge, panel, live view, interrupt and message", slow, async () => {
  const { terminal } = await open({ script, columns: 110, rows: 30 });
  await send(terminal, "Go.");
  await asked(terminal, "Permission: writer (general agent)");
  terminal.press("y");
  await terminal.shows(/\d agents?/, waitMs);
  terminal.type("/agents");
  terminal.press("enter");
  await terminal.shows("survey (explore): Find the parsers", waitMs);
  await terminal.shows("ctrl+k kill");
  await terminal.shows(/Finished.*writer \(general\): Make the file/s, waitMs);
  terminal.press("enter");
  await terminal.shows("m message");
  // It grows while it is read, without a key.
  const newest = () => Number(/.*Found parser (\d+) /s.exec(terminal.screen().join("\n"))?.[1] ?? -1);
  const first = newest();
  await terminal.until(() => newest() > first + 5, "more of the report", waitMs);
  terminal.press("home");
  await terminal.shows("child survey");
  terminal.press("i");
  await terminal.shows("Stopped.", waitMs);
  terminal.type("m");
  await terminal.shows("It continues.");
  terminal.type("Stop at ten.");
  terminal.press("enter");
  await terminal.shows("Stopped at ten.", waitMs);
  terminal.press("escape");
  await terminal.shows("ctrl+r revive");
  terminal.press("escape");
  await terminal.until(() => !terminal.screen().join("\n").includes("ctrl+r revive"), "the panel to close", waitMs);
  expect(terminal.screen().join("\n")).not.toMatch(/\d agents? /);
});

test("without agents the panel says so", slow, async () => {
  const { terminal } = await open({ script: [] });
  terminal.type("/hub");
  terminal.press("enter");
  await terminal.shows("No agents in this session yet.", waitMs);
});
