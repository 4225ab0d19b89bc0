/** How facts read in the console: plain text, one line per tool call, nothing that could steer a terminal. */
import {
  compactionText,
  type Fact,
  type FactOf,
  type Failure,
  namedInQuestion,
  type PermissionRequest,
  permissionQuestion,
  reasonSentence,
  showTerminalControls,
  stripTerminalControls,
} from "@kedge/protocol";
import { viewTexts } from "../texts/console.ts";
import { type AnswerOptions, commandInput, offersAllEdits } from "./permission-answer.ts";

const summaryCharactersMax = 100;

/** The text for one fact, with its line end, or nothing. Answers are given whole; who streamed them leaves this out. */
export function factText(fact: Fact): string {
  switch (fact.type) {
    case "step.ended":
      return answerText(fact);
    case "tool.ended":
      return `* ${fact.tool} ${oneLine(fact.title ?? "")} - ${resultText(fact)}${changedText(fact)}\n`;
    case "prompt.revised":
      return fact.by === undefined ? "" : viewTexts.promptRewritten(oneLine(fact.by));
    case "command.ran":
      return `${stripTerminalControls(fact.text)}\n`;
    case "run.ended":
      return endText(fact);
    case "model.changed":
      return viewTexts.modelIs(stripTerminalControls(fact.model));
    case "mode.changed":
      return viewTexts.modeIs(fact.mode);
    case "pressure.changed":
      return pressureText(fact);
    case "context.compacted":
      return `(${compactionText(fact)}${inShort(fact)})\n`;
    default:
      return "";
  }
}

export function questionText(request: PermissionRequest): string {
  const named = namedInQuestion(request);
  const lines = [
    `? ${showTerminalControls(permissionQuestion(request))}${askedBy(request)}`,
    ...request.patterns
      .filter((pattern) => pattern !== named && !isShownIn(request.preview, pattern))
      .map((pattern) => `    ${indented(showTerminalControls(pattern))}`),
    ...(request.preview === undefined ? [] : [`    ${indented(showTerminalControls(request.preview))}`]),
    `  ${showTerminalControls(reasonSentence(request.reason))}`,
    ...(request.evidence ?? []).map((line) => `  ! ${showTerminalControls(line)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** As lines of its own: the preview of a command begins with the command. */
function isShownIn(preview: string | undefined, pattern: string): boolean {
  return preview !== undefined && `\n${preview}\n`.includes(`\n${pattern}\n`);
}

function askedBy({ agent }: PermissionRequest): string {
  return agent === undefined ? "" : viewTexts.askedBy(showTerminalControls(agent.agent), agent.agentId);
}

/** Offers only what the request accepts. */
export function answerHint(request: PermissionRequest, options: AnswerOptions = {}): string {
  const edit = commandInput(request) === undefined ? "" : viewTexts.runInstead;
  const no = viewTexts.no;
  if (request.isIrreversible) return viewTexts.once(edit, no);
  const patterns = request.always.map(showTerminalControls).join(", ");
  const allEdits = offersAllEdits(request, options) ? viewTexts.allEdits : "";
  const session = request.always.length === 0 ? "" : viewTexts.thisSession(patterns);
  const project = request.isSavable ? viewTexts.alwaysHere : "";
  return viewTexts.answers(allEdits, session, project, edit, no);
}

function inShort({ shortSummary }: FactOf<"context.compacted">): string {
  return shortSummary === "" ? "" : viewTexts.summary(stripTerminalControls(shortSummary));
}

const pressureReasonsMax = 3;

/** The latest reasons are those that made the difference. */
function pressureText({ level, contributions }: FactOf<"pressure.changed">): string {
  if (level === "calm") return viewTexts.calmAgain;
  const reasons = [...new Set(contributions.map(({ why }) => oneLine(why)))].slice(-pressureReasonsMax);
  return viewTexts.pressure([level, ...reasons].join("; "));
}

function answerText({ content }: FactOf<"step.ended">): string {
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  return text === "" ? "" : `${stripTerminalControls(text).trimEnd()}\n`;
}

function resultText({ outcome, output, decision }: FactOf<"tool.ended">): string {
  switch (outcome) {
    case "completed": {
      const lines = output.trimEnd().split("\n");
      return lines.length === 1 ? oneLine(lines[0] ?? "") || viewTexts.done : viewTexts.lines(lines.length);
    }
    case "failed":
      return viewTexts.failed(oneLine(output));
    case "refused":
      return viewTexts.notPermitted(oneLine(decision?.reason ?? output));
    case "interrupted":
      return viewTexts.interrupted;
  }
}

/** Hooks and plugins that changed what the model asked for, or what it reads of it. */
function changedText({ metadata = {} }: FactOf<"tool.ended">): string {
  const told = (text: (names: string) => string, names: unknown) =>
    Array.isArray(names) && names.length > 0 ? text(oneLine(names.join(", "))) : "";
  return `${told(viewTexts.inputChangedBy, metadata["inputChangedBy"])}${told(viewTexts.rewrittenBy, metadata["rewrittenBy"])}`;
}

function endText({ reason, failure, turns, budget, cost }: FactOf<"run.ended">): string {
  switch (reason) {
    case "completed":
      return "";
    case "aborted":
      return viewTexts.runInterrupted;
    case "error_max_turns":
      return viewTexts.turnLimit(turns);
    case "error_max_budget":
      if (failure !== undefined) return failedText(failure);
      return budget === "tokens" ? viewTexts.tokenLimit : viewTexts.costLimit(cost.usd.toFixed(4));
    case "error_max_structured_output_retries":
      return viewTexts.noStructuredAnswer;
    case "stopped_by_hook":
      return viewTexts.stoppedByHook;
    case "error_during_execution":
      return failure === undefined ? viewTexts.runFailed : failedText(failure);
  }
}

function failedText({ message, recovery }: Failure): string {
  return `(${stripTerminalControls(message)}${recovery === undefined ? "" : ` ${recovery}`})\n`;
}

function oneLine(text: string): string {
  const line = stripTerminalControls(text.trim().split("\n", 1)[0] ?? "");
  return line.length > summaryCharactersMax ? `${line.slice(0, summaryCharactersMax - 3)}...` : line;
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n    ");
}
