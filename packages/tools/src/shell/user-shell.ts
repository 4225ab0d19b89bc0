/** Runs a line that a person typed for the shell: as it is, with nothing in between, until he stops it. */
import type { Artifacts, Redactor } from "@kedge/protocol";
import { createOutputLines } from "./output/output-lines.ts";
import { createOutputSink } from "./output/output-sink.ts";
import { hardeningVariables } from "./process/hardening-variables.ts";
import type { OnOutput, ShellEnd, ShellGraces } from "./process/shell-command.ts";
import { runShell } from "./process/shell-process.ts";

export type UserShellLine = {
  readonly command: string;
  readonly cwd: string;
  readonly shellPath: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Unique among the lines of this process. */
  readonly lineId: string;
  /** Ends the line and nothing else. */
  readonly signal: AbortSignal;
  /** Live output, at a pace that a screen can follow. */
  readonly onProgress: OnOutput;
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
  /** Where all of the output goes when it is too long for the model. */
  readonly artifacts: Artifacts;
  /** Takes secrets out of what the model may come to see. */
  readonly redactor?: Redactor;
  readonly graces?: ShellGraces;
};

export type UserShellEnd = {
  readonly end: ShellEnd;
  /** The last lines, for the person. */
  readonly screen: string;
  /** All of it for the model, cut in the middle where it is too long. */
  readonly text: string;
  readonly truncated: boolean;
  readonly artifactId?: number;
};

const screenLinesMax = 20;
const screenColumnsMax = 4_000;
const headBytes = 18_000;
const tailBytes = 12_000;

export async function runUserShell(line: UserShellLine): Promise<UserShellEnd> {
  const screen = createScreenTail();
  const sink = createOutputSink({
    headBytes,
    tailBytes,
    onProgress: line.onProgress,
    now: line.now,
    openArtifact: () => line.artifacts.create("shell"),
    ...(line.redactor && { redactor: line.redactor }),
  });
  const end = await runShell({
    shellPath: line.shellPath,
    command: line.command,
    cwd: line.cwd,
    environment: { ...line.environment, ...hardeningVariables },
    mark: `user-${process.pid}-${line.lineId.replaceAll(/[^\w-]/g, "_")}`,
    signal: line.signal,
    onOutput(chunk, stream) {
      screen.write(chunk, stream);
      sink.write(chunk, stream);
    },
    ...(line.graces && { graces: line.graces }),
  });
  const { output, truncated, artifactId } = sink.dump();
  return { end, screen: screen.text(), text: output, truncated, ...(artifactId !== undefined && { artifactId }) };
}

/** Keeps no more than it shows, however much comes. */
function createScreenTail() {
  const ended: string[] = [];
  let open = "";
  const lines = createOutputLines({
    onText(_shown, full) {
      const pieces = full.split("\n");
      const first = pieces.shift() ?? "";
      open += first.slice(0, Math.max(0, screenColumnsMax - open.length));
      for (const piece of pieces) {
        ended.push(open);
        open = piece.slice(0, screenColumnsMax);
      }
      if (ended.length > screenLinesMax) ended.splice(0, ended.length - screenLinesMax);
    },
  });
  return {
    write: (chunk: string, stream: "stdout" | "stderr") => void lines.write(chunk, stream),
    text(): string {
      lines.end();
      const all = open === "" ? ended : [...ended, open];
      return all
        .slice(-screenLinesMax)
        .map((line) => line.toWellFormed())
        .join("\n");
    },
  };
}
