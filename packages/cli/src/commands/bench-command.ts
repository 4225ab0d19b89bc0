/** `kedge bench brief`: how many tokens each level of brevity saves with a real model, on ten fixed tasks. */
import { runEndSentence } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { runPrompt } from "../headless/run-prompt.ts";
import { openSession } from "../opening/open-session.ts";
import { type Started, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { type Column, countText, tableText } from "../text-table.ts";
import { benchTexts } from "../texts/work.ts";

/** The same for everybody, so that figures can be compared. */
const tasks = JSON.parse(textBeside(import.meta.url, "./brief-tasks.json")) as readonly string[];

const levels = ["off", "lite", "full", "ultra", "wenyan-lite", "wenyan-full", "wenyan-ultra"] as const;

type Measured = {
  readonly level: string;
  readonly tasks: number;
  readonly outputTokens: number;
  readonly saved: number;
};

export async function runBenchCommand([what, extra]: readonly string[], flags: Flags): Promise<number> {
  if (what !== "brief" || extra !== undefined) {
    writeNotice(benchTexts.usage);
    return exitCodes.usage;
  }
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const { started } = outcome;
  try {
    const rows: Measured[] = [];
    for (const level of levels) {
      const outputTokens = await measure(level, started, flags);
      if (outputTokens === undefined) return exitCodes.error;
      const usual = rows[0]?.outputTokens ?? outputTokens;
      rows.push({ level, tasks: tasks.length, outputTokens, saved: usual === 0 ? 0 : 1 - outputTokens / usual });
      writeNotice(benchTexts.measured(level));
    }
    writeResult(flags.json ? `${JSON.stringify(rows)}\n` : tableText(columns, rows));
    return exitCodes.success;
  } finally {
    await started.kedge.close();
  }
}

const columns: readonly Column<Measured>[] = [
  { title: benchTexts.level, align: "left", text: ({ level }) => level },
  { title: benchTexts.outputTokens, align: "right", text: ({ outputTokens }) => countText(outputTokens) },
  { title: benchTexts.saved, align: "right", text: ({ saved }) => `${Math.round(saved * 100)} %` },
];

/** Each task in a session of its own. Undefined when one failed, which was told. */
async function measure(
  level: string,
  { kedge, cwd, mode, isModeNamed, configuration, runOptions }: Started,
  flags: Flags,
) {
  let tokens = 0;
  for (const task of tasks) {
    const opened = await openSession(kedge.client, {
      ...{
        choice: { kind: "new" },
        directory: cwd,
        mode,
        isModeNamed,
        model: flags.model,
        defaultModel: configuration.model,
      },
    });
    if (!opened.ok) return failed(failureText(opened.failure));
    const { sessionId } = opened;
    const silent = { attachments: [], onFact: () => undefined, onNotice: () => undefined, onRetry: () => undefined };
    if (level !== "off")
      await runPrompt(kedge.client, { sessionId, prompt: `/brief ${level}`, options: runOptions, ...silent });
    const result = await runPrompt(kedge.client, { sessionId, prompt: task, options: runOptions, ...silent });
    if (result.reason !== "completed")
      return failed(result.failure === undefined ? runEndSentence(result.reason) : failureText(result.failure));
    tokens += result.usage.output;
  }
  return tokens;
}

function failed(sentence: string): undefined {
  writeDiagnostic(sentence);
  return undefined;
}
