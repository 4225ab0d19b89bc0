/** Lets the mock model make the given calls one after the other in the real program, and tells what came back of each. */
import type { MockToolCall, MockTurn } from "@kedge/testing";
import { openWorkbench, type Workbench } from "../workbench.ts";

export type CallResult = { readonly outcome: string; readonly output: string };

export type CallsRun = {
  readonly results: readonly CallResult[];
  /** Every byte that the model got, as one text. */
  readonly sent: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
};

export type CallsOptions = {
  readonly settings?: { readonly [name: string]: unknown };
  readonly argv?: readonly string[];
  readonly prompt?: string | ((project: string) => string);
  readonly environment?: { readonly [name: string]: string };
  /** Makes the files of the project. */
  readonly prepare: (bench: Workbench) => void;
  /** Looks at what is left before it is removed. */
  readonly afterwards?: (bench: Workbench) => Promise<void> | void;
};

/** Calls and the prompt may need to know where the project is. */
export async function runCalls(
  calls: readonly MockToolCall[] | ((project: string) => readonly MockToolCall[]),
  options: CallsOptions,
): Promise<CallsRun> {
  let turns: readonly MockTurn[] = [];
  let asked = 0;
  const bench = await openWorkbench(() => turns[asked++] ?? { text: "Done." }, options.settings);
  try {
    options.prepare(bench);
    const made = typeof calls === "function" ? calls(bench.project) : calls;
    turns = made.map((call) => ({ toolCalls: [call] }));
    const { prompt = "go" } = options;
    const text = typeof prompt === "function" ? prompt(bench.project) : prompt;
    const argv = ["-p", text, "--output-format", "stream-json", ...(options.argv ?? [])];
    const { stdout, stderr, code } = await bench.run(argv, { environment: options.environment ?? {} });
    await options.afterwards?.(bench);
    const results: readonly CallResult[] = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "tool_result");
    const sent = bench.model.requests.map(({ raw }) => raw.toString("utf8")).join("\n");
    return { results, sent, stdout, stderr, code };
  } finally {
    await bench.close();
  }
}
