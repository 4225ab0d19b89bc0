/** A prompt and its answer, no questions: runs headless and prints the result in the chosen format. */
import { existsSync } from "node:fs";
import { profileOf } from "@kedge/host";
import {
  type FactRecord,
  type Failure,
  findCommandName,
  type Media,
  type PermissionMode,
  type RunResult,
  type Signal,
  type SignalOf,
} from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { retryText } from "../console/retry-text.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSession, sessionChoice } from "../opening/open-session.ts";
import { type Started, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { openJsonLines, writeDiagnostic, writeNotice } from "../output.ts";
import { version } from "../start/build-facts.ts";
import type { PassStage } from "../start/startup-stages.ts";
import { headlessTexts } from "../texts/headless.ts";
import { failedResult, type Printing, report } from "./headless-report.ts";
import type { MessageInbox } from "./message-inbox.ts";
import { runPrompt } from "./run-prompt.ts";
import { inputBytesMax, readPipedInput } from "./standard-input.ts";
import { createStreamLines, partialLine, retryLine } from "./stream-line.ts";

export async function runHeadless(words: string, flags: Flags, passStage: PassStage): Promise<number> {
  const format = flags.outputFormat ?? "text";
  const takesUpWork = flags.continue === true || flags.resume !== undefined;
  const isConversation = flags.inputFormat === "stream-json";
  const prompt = isConversation
    ? ({ ok: true, text: words } as const)
    : await promptOf(words, { mayWait: words === "" && !takesUpWork });
  if (!prompt.ok) {
    writeNotice(prompt.sentence);
    return exitCodes.usage;
  }
  if (prompt.text === "" && !takesUpWork && !isConversation) {
    writeNotice(headlessTexts.noPrompt);
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  const outcome = await startKedge(flags, surroundings, { interactive: false, passStage });
  if (!outcome.ok) {
    if (!outcome.isUsage) return report(undefined, failedResult(outcome.failure), { format, flags });
    writeDiagnostic(failureText(outcome.failure));
    return exitCodes.usage;
  }
  const { started } = outcome;
  const hasModel = (flags.model ?? started.configuration.model) !== undefined;
  if (!hasModel && !prompt.text.startsWith("/") && !takesUpWork) {
    return report(undefined, failedResult(noModel), { format, flags });
  }
  const ending = new AbortController();
  let signals: Disposable | undefined;
  const onRun = () => {
    signals = onEndSignal(() => ending.abort());
  };
  try {
    const first = await withMentionedFiles(prompt.text, words, started);
    return await runInSession(first, { started, printing: { format, flags }, passStage, ending, onRun });
  } finally {
    await started.kedge.close();
    // Not before: a signal must not cut off what is being recorded.
    signals?.[Symbol.dispose]();
  }
}

const noModel: Failure = {
  code: "no_model",
  message: headlessTexts.noModel,
  recovery: headlessTexts.modelHint,
  retryable: false,
};

type Given = { readonly text: string; readonly attachments: readonly Media[] };

/** Only what the user typed can name files: what is piped in may come from anybody. */
async function withMentionedFiles(text: string, words: string, { attachments, cwd, kedge }: Started): Promise<Given> {
  if (!words.includes("@") || words.startsWith("/")) return { text, attachments };
  const { attachMentionedFiles } = await import("../attachments/mentioned-files.ts");
  const mentioned = attachMentionedFiles(words, { cwd, reading: kedge.reading });
  for (const notice of mentioned.notices) writeNotice(notice);
  return {
    text: `${mentioned.text}${text.slice(words.length)}`,
    attachments: [...attachments, ...mentioned.attachments],
  };
}

type HeadlessRun = {
  readonly started: Started;
  readonly printing: Printing;
  readonly passStage: PassStage;
  /** Aborted when somebody wants this to end, or nobody reads what it prints. */
  readonly ending: AbortController;
  /** Called when there is something to stop; until then a signal ends kedge like any other program. */
  readonly onRun: () => void;
};

async function runInSession(first: Given, headless: HeadlessRun): Promise<number> {
  const { started, passStage, ending } = headless;
  const { kedge, configuration, cwd, mode, isModeNamed, runOptions: options } = started;
  const { format, flags } = headless.printing;
  const opened = await openSession(kedge.client, {
    choice: sessionChoice(flags),
    directory: cwd,
    mode,
    isModeNamed,
    model: flags.model,
    defaultModel: configuration.model,
  });
  if (!opened.ok) return report(undefined, failedResult(opened.failure), headless.printing);
  const { sessionId, model } = opened;
  passStage("session");
  if (opened.notice !== undefined) writeNotice(opened.notice);
  const interrupt = () => void kedge.client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
  ending.signal.addEventListener("abort", interrupt);
  const writeLine = openJsonLines();
  const print = (line: object) => {
    // Nobody reads any more: the work has no purpose, and saying so has no reader.
    if (writeLine(line) === "reader-gone") ending.abort();
  };
  const isStream = format === "stream-json";
  const opening = { sessionId, model, mode, cwd, tools: kedge.toolNames() };
  const form = isStream ? await streamForm(opening, flags) : undefined;
  const printing: Printing = { ...headless.printing, ...(form?.result && { resultLine: form.result }) };
  if (form !== undefined) print(form.init());
  const tell = flags.verbose && !isStream ? (await import("./tell-progress.ts")).tellProgress : undefined;
  const onDelta = form?.partial && ((delta: Signal) => form.partial?.(delta).forEach(print));
  const runOne = async ({ text, attachments }: Given, inbox?: MessageInbox): Promise<number> => {
    if (ending.signal.aborted) return exitCodes.interrupted;
    const named: Prompt = text.startsWith("/") ? await withWholeName(text, kedge) : { ok: true, text };
    if (!named.ok) {
      report(sessionId, failedResult({ code: "invalid_command", message: named.sentence, retryable: false }), printing);
      return exitCodes.usage;
    }
    const prompt = named.text;
    const result = await runPrompt(kedge.client, {
      ...{ sessionId, prompt, attachments, options, inbox, onDelta },
      onEarlierEnd: (earlier) => void report(sessionId, earlier, printing),
      onFact: (record) => {
        // It may have begun after the wish to end it.
        if (record.fact.type === "step.started" && ending.signal.aborted) interrupt();
        if (record.fact.type === "step.started") passStage("first request");
        else if (record.fact.type === "instructions.loaded") passStage("instructions");
        else if (record.fact.type === "tool.ended") passStage("first tool");
        form?.add(record).forEach(print);
        tell?.(record.fact);
      },
      onNotice: (text) => writeNotice(text),
      onRetry: (retry) => (form?.retry === undefined ? writeNotice(retryText(retry)) : print(form.retry(retry))),
    });
    return report(sessionId, result, printing);
  };
  headless.onRun();
  if (flags.inputFormat !== "stream-json") return await runOne(first);
  const { converseHeadless } = await import("./converse-headless.ts");
  return await converseHeadless({ first, runOne, sessionId, printing, signal: ending.signal });
}

type Opening = {
  readonly sessionId: string;
  readonly model: string;
  readonly mode: PermissionMode;
  readonly cwd: string;
  readonly tools: readonly string[];
};

/** What the lines of `stream-json` look like; what a form has no line for is told on standard error. */
type StreamForm = {
  readonly init: () => object;
  readonly add: (record: FactRecord) => readonly object[];
  readonly retry?: (retry: SignalOf<"step.retrying">) => object;
  /** Absent where nobody asked for pieces of answers. */
  readonly partial?: ((delta: Signal) => readonly object[]) | undefined;
  readonly result?: (result: RunResult) => object;
};

async function streamForm(opening: Opening, { compat, includePartialMessages }: Flags): Promise<StreamForm> {
  if (compat === "claude") {
    const [{ createClaudeLines }, { randomUUID }] = await Promise.all([
      import("@kedge/host/transcripts"),
      import("node:crypto"),
    ]);
    return createClaudeLines({
      ...opening,
      version,
      newUuid: randomUUID,
      withPartial: includePartialMessages === true,
    });
  }
  const { sessionId, model, mode, cwd, tools } = opening;
  const versions = { kedge: version, node: process.versions.node };
  const profile = profileOf(readSurroundings().environment);
  const place = { cwd, ...(profile !== undefined && { profile }) };
  const init = { type: "init", sessionId, model, tools, permission_mode: mode, ...place, versions };
  const partial = (delta: Signal) => [partialLine(delta)].filter((line) => line !== undefined);
  const lines = { init: () => init, add: createStreamLines().add, retry: retryLine };
  return includePartialMessages ? { ...lines, partial } : lines;
}

/** The prefix of a command becomes its name; paths and other text stay as they are. */
async function withWholeName(text: string, { commands }: Started["kedge"]): Promise<Prompt> {
  const word = /^\/([A-Za-z][\w:.-]*)(?=\s|$)/.exec(text)?.[1];
  if (word === undefined) return { ok: true, text };
  const found = findCommandName(word, await commands(), { ...headlessTexts.commandPlace });
  if (found.kind === "found") return { ok: true, text: `/${found.command.name}${text.slice(word.length + 1)}` };
  if (found.kind === "path" || existsSync(`/${word}`)) return { ok: true, text };
  return { ok: false, sentence: found.sentence };
}

type Prompt = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly sentence: string };

async function promptOf(words: string, options: { readonly mayWait: boolean }): Promise<Prompt> {
  const input = await readPipedInput(options);
  switch (input.kind) {
    case "none":
      return { ok: true, text: words };
    case "text":
      return { ok: true, text: words === "" ? input.text : `${words}\n\n${input.text}` };
    case "silent":
      writeNotice(headlessTexts.noPipedInput(input.waitedMs / 1000));
      return { ok: true, text: words };
    case "too-large":
      return { ok: false, sentence: headlessTexts.pipedInputTooLarge(inputBytesMax / 1024 / 1024) };
  }
}
