/** Measures the terminal UI from outside, in a real terminal: `node scripts/bench-terminal.ts [--json] [part …]`. */
import { loadavg } from "node:os";
import { measureAgents } from "./terminal-bench/agents.ts";
import {
  measureBytesPerKey,
  measureLongTranscript,
  measurePaste,
  measureResizeStorm,
} from "./terminal-bench/drawing.ts";
import type { Figure, Measure } from "./terminal-bench/figures.ts";
import {
  measureBusyEngineEcho,
  measureIdleEcho,
  measureSleepEcho,
  measureStreamEcho,
} from "./terminal-bench/key-echo.ts";
import { measureResume } from "./terminal-bench/resuming.ts";
import { measureStart } from "./terminal-bench/starting.ts";
import { measureStartWithServers } from "./terminal-bench/starting-servers.ts";
import { buildApart } from "./terminal-build.ts";

const measures: { readonly [part: string]: Measure } = {
  start: measureStart,
  servers: measureStartWithServers,
  resume: measureResume,
  idle: measureIdleEcho,
  stream: measureStreamEcho,
  sleep: measureSleepEcho,
  engine: measureBusyEngineEcho,
  agents: measureAgents,
  bytes: measureBytesPerKey,
  transcript: measureLongTranscript,
  paste: measurePaste,
  resize: measureResizeStorm,
};

async function main(words: readonly string[]): Promise<number> {
  const isJson = words.includes("--json");
  const named = words.filter((word) => word !== "--json");
  const unknown = named.find((part) => measures[part] === undefined);
  if (unknown !== undefined) {
    process.stderr.write(`"${unknown}" is not measured here; choose from ${Object.keys(measures).join(", ")}.\n`);
    return 2;
  }
  const program = await buildApart();
  const loadBefore = loadavg()[0] ?? 0;
  const figures: Figure[] = [];
  const failed: string[] = [];
  try {
    for (const [part, measure] of Object.entries(measures)) {
      if (named.length > 0 && !named.includes(part)) continue;
      try {
        figures.push(...(await measure(program.entry)));
      } catch (error) {
        // One part that does not work must not hide what the others measured.
        failed.push(`${part}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    program.remove();
  }
  const load = { before: loadBefore, after: loadavg()[0] ?? 0 };
  process.stdout.write(isJson ? `${JSON.stringify({ load, figures, failed }, undefined, 2)}\n` : table(figures));
  if (!isJson) process.stdout.write(`load average ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after\n`);
  for (const sentence of failed) process.stderr.write(`not measured, ${sentence}\n`);
  return failed.length === 0 ? 0 : 1;
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ measure, value, unit, note = "" }) => [measure, `${value} ${unit}`, note]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      ([measure = "", value = "", note = ""]) =>
        `${`${measure.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${note}`.trimEnd()}\n`,
    )
    .join("");
}

process.exitCode = await main(process.argv.slice(2));
