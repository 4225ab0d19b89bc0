/** Calls of the shell and of what runs behind it. */
import { abortedCall } from "../view-fold/tool-state.ts";
import { durationInWords, joined } from "./amounts-in-words.ts";
import { listOf, numberOf, oneLine, type ShownCall, textOf } from "./shown-call.ts";
import type { Described, OutputLine } from "./tool-display.ts";

export function describeShell(call: ShownCall): Described {
  const { metadata, status } = call;
  const command = textOf(call, "command");
  const exitCode = numberOf(metadata, "exitCode");
  const output = status === "running" ? (call.context.tail ?? []) : outputLines(call);
  return {
    name: "shell",
    title: oneLine(command),
    summary: shellEnd(call, exitCode),
    body: { kind: "terminal", command, output, ...(exitCode !== undefined && { exitCode }) },
  };
}

/** Looks at or ends what runs in the background. */
export function describeJob(call: ShownCall, name: string): Described {
  const ids = [textOf(call, "jobID"), ...listOf(call.input["cancel"]), ...listOf(call.input["watch"])];
  const { status } = call.metadata;
  return {
    name,
    title: oneLine(call.title ?? ids.filter((id) => typeof id === "string" && id !== "").join(", ")),
    summary: typeof status === "string" ? status : "",
    body: { kind: "text", text: call.output, isError: false },
  };
}

function shellEnd({ metadata, durationMs, status }: ShownCall, exitCode: number | undefined): string {
  if (status !== "done") return "";
  if (typeof metadata["jobId"] === "string") return `runs in the background as ${metadata["jobId"]}`;
  const time = numberOf(metadata, "durationMs") ?? durationMs;
  return joined(endInWords(metadata, exitCode), time === undefined ? undefined : durationInWords(time));
}

function endInWords(metadata: ShownCall["metadata"], exitCode: number | undefined): string | undefined {
  if (metadata["timedOut"] === true) return "timed out";
  if (metadata["outOfMemory"] === true) return "out of memory";
  if (typeof metadata["signal"] === "string") return `ended by ${metadata["signal"]}`;
  return exitCode === undefined || exitCode === 0 ? undefined : `exit ${exitCode}`;
}

const partialOutput = `${abortedCall}. Output until then:\n`;
const noOutput = "(no output)";
const saidByExitCode = /\n?Command (?:exited with code -?\d+|was ended by \w+)\s*$/;

function outputLines({ output, metadata, status }: ShownCall): readonly OutputLine[] {
  if (status === "interrupted")
    return output.startsWith(partialOutput) ? markedLines(output.slice(partialOutput.length), []) : [];
  const text = output.replace(saidByExitCode, "");
  const trimmed = text.startsWith(noOutput) ? text.slice(noOutput.length).replace(/^\n/, "") : text;
  return markedLines(trimmed, listOf(metadata["stderrRanges"]));
}

/** The ranges count bytes. */
function markedLines(text: string, ranges: readonly unknown[]): readonly OutputLine[] {
  if (text === "") return [];
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const stderr = ranges.flatMap((range) => {
    const [first, end] = listOf(range);
    return typeof first === "number" && typeof end === "number" ? [{ first, end }] : [];
  });
  if (stderr.length === 0) return lines.map((line) => ({ text: line, stream: "stdout" }));
  const encoder = new TextEncoder();
  let at = 0;
  let next = 0;
  return lines.map((line) => {
    const end = at + encoder.encode(line).length;
    while (next < stderr.length && (stderr[next]?.end ?? 0) <= at) next += 1;
    const range = stderr[next];
    const isError = range !== undefined && range.first < Math.max(end, at + 1);
    at = end + 1;
    return { text: line, stream: isError ? "stderr" : "stdout" };
  });
}
