/** Agents beside the prompt: key echo and memory while ten of them stream, and the memory of those that have finished. */
import type { MockScript, MockTurn } from "@kedge/testing";
import { openScene, paced, type ScreenTerminal } from "@kedge/testing/screen-terminal";
import { type Figure, percentile, residentMegabytes, rounded } from "./figures.ts";
import { typeWhile } from "./key-echo.ts";

const streaming = 10;
const finishing = 40;
const keys = 200;
const deltasPerSecond = 100;
const paragraph = "The parser reads **one** token at a time and `keeps` the rest for later.\n\n";

/** As many agents as the prompt says, all in the background, each of which answers with `turn`. */
function agentScript(turn: MockTurn): MockScript {
  return ({ body }) => {
    const said = JSON.stringify(body.messages);
    if (said.includes("Part of the work")) return turn;
    const count = Number(/Start (\d+) agents/.exec(said)?.[1] ?? 0);
    if (said.includes('"role":"tool"') || count === 0) return { text: "They are at work." };
    const input = { subagent_type: "general", prompt: "Part of the work", run_in_background: true };
    const call = (_: unknown, index: number) => ({
      id: `call_${index}`,
      name: "agent",
      input: { ...input, description: `Part ${index}`, name: `part-${index}` },
    });
    return { toolCalls: Array.from({ length: count }, call) };
  };
}

async function begin(terminal: ScreenTerminal, count: number): Promise<void> {
  await terminal.shows("mock/mock-model · default", 60_000);
  if (count === 0) return;
  terminal.type(`Start ${count} agents`);
  terminal.press("enter");
}

export async function measureAgents(entry: string): Promise<readonly Figure[]> {
  const turn = paced({ text: paragraph.repeat(2_000), deltaCharacters: 8 }, deltasPerSecond);
  const one = await whileStreaming(entry, turn, 1);
  const all = await whileStreaming(entry, turn, streaming);
  const finished = { text: paragraph };
  const without = await afterFinishing(entry, finished, 1);
  const parked = await afterFinishing(entry, finished, finishing);
  const megabytes = (measure: string, value: number, note: string): Figure => ({
    ...{ measure, value: rounded(value), unit: "MB", note },
  });
  return [
    { measure: "key echo, 10 agents stream, p50", value: rounded(percentile(all.timesMs, 0.5)), unit: "ms" },
    { measure: "key echo, 10 agents stream, p95", value: rounded(percentile(all.timesMs, 0.95)), unit: "ms" },
    { measure: "key echo, 1 agent streams, p95", value: rounded(percentile(one.timesMs, 0.95)), unit: "ms" },
    megabytes(
      "memory of a further agent that streams",
      (all.megabytes - one.megabytes) / (streaming - 1),
      `${rounded(one.megabytes)} MB with one, ${rounded(all.megabytes)} MB with ten`,
    ),
    megabytes(
      "memory of an agent that has finished",
      (parked - without) / (finishing - 1),
      `${rounded(without)} MB after one, ${rounded(parked)} MB after ${finishing}`,
    ),
  ];
}

type Streamed = { readonly timesMs: readonly number[]; readonly megabytes: number };

async function whileStreaming(entry: string, turn: MockTurn, count: number): Promise<Streamed> {
  const scene = await openScene({ entry, script: agentScript(turn), columns: 120, rows: 40 });
  const { terminal } = scene;
  try {
    await begin(terminal, count);
    await terminal.shows(count === 1 ? "1 agent" : `${count} agents`, 60_000);
    const { timesMs } = await typeWhile(terminal, (typed) => typed < keys);
    return { timesMs, megabytes: residentMegabytes(terminal.pid) };
  } finally {
    await scene.close();
  }
}

/** Finished agents are parked at once, and looked at when nothing moves any more. */
async function afterFinishing(entry: string, turn: MockTurn, count: number): Promise<number> {
  const settings = { agents: { idleTtlMs: 0, confirmUsd: 1_000_000 } };
  const scene = await openScene({ entry, script: agentScript(turn), settings, columns: 120, rows: 40 });
  const { terminal } = scene;
  try {
    await begin(terminal, count);
    terminal.type("/agents");
    terminal.press("enter");
    await terminal.shows(new RegExp(`\\b${count} entr`), 60_000);
    await terminal.until(([...rows]) => !rows.join("\n").includes("Running"), "the end of all agents", 120_000);
    await terminal.settled(2_000);
    return residentMegabytes(terminal.pid);
  } finally {
    await scene.close();
  }
}
