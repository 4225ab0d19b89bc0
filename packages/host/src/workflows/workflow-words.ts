/** How workflows, their runs and their progress are shown to a person. */
import type { WorkflowRecord } from "@kedge/agents/workflows";
import { type Json, stripTerminalControls } from "@kedge/protocol";
import type { FoundWorkflows } from "./find-workflows.ts";
import type { WorkflowNews, Workflows } from "./open-workflows.ts";

const dollarDigits = 4;
const msPerSecond = 1_000;
const runsShownMax = 20;

export function workflowLines({ used, problems }: FoundWorkflows): string {
  const lines = used.map(({ name, description, origin }) =>
    [name, origin, description].filter((part) => part !== "").join("  "),
  );
  const none = "No workflows. Create one in .kedge/workflows or .claude/workflows.";
  return stripTerminalControls(
    [...(used.length === 0 && problems.length === 0 ? [none] : lines), ...problems].join("\n"),
  );
}

export function workflowData({ used, problems }: FoundWorkflows): Json {
  const workflows = used.map(({ name, description, file, origin }) => ({ name, description, file, origin }));
  return { workflows, problems: [...problems] };
}

export function runLines({ records, isRunning }: Pick<Workflows, "records" | "isRunning">): string {
  const all = records.list();
  if (all.length === 0) return "No workflow runs yet.";
  const lines = all.slice(0, runsShownMax).map((record) => {
    const { runId, name, startedAt, problem = "" } = record;
    const when = new Date(startedAt).toISOString().slice(0, 16).replace("T", " ");
    return [runId, name, statusOf(record, isRunning(runId)), when, problem].filter((part) => part !== "").join("  ");
  });
  const left = all.length - lines.length;
  return stripTerminalControls([...lines, ...(left > 0 ? [`… and ${left} older runs`] : [])].join("\n"));
}

/** A run that says it runs, and does not do so here, was cut off or runs in another process. */
function statusOf({ status }: WorkflowRecord, isHere: boolean): string {
  return status === "running" && !isHere ? "interrupted" : status;
}

/** The sentence at the end of a run. */
export function endText({ runId, name, status, problem, result }: WorkflowRecord): string {
  const text = result === undefined || result === null ? "" : `\n${resultText(result)}`;
  if (status === "completed") return `Workflow ${name} completed.${text}`;
  const resume = `Run kedge workflow resume ${runId} to continue; completed steps are not repeated.`;
  return `Workflow ${name} ${status}: ${problem ?? "it was interrupted."}\n${resume}`;
}

export function resultText(result: Json): string {
  return typeof result === "string" ? result : JSON.stringify(result, undefined, 2);
}

export function newsText(news: WorkflowNews): string {
  if (news.type !== "step") return news.type === "phase" ? `# ${news.text}` : news.text;
  const { number, label, agent, state, usd, durationMs, problem } = news.step;
  const spent = [
    ...(durationMs === undefined ? [] : [`${(durationMs / msPerSecond).toFixed(1)} s`]),
    ...(usd === undefined ? [] : [`$${usd.toFixed(dollarDigits)}`]),
  ];
  const details = state === "started" || state === "reused" || spent.length === 0 ? "" : ` (${spent.join(", ")})`;
  const why = problem === undefined ? "" : `: ${problem}`;
  return stripTerminalControls(`${number}. ${label} [${agent}] ${state}${details}${why}`);
}

/** JSON where it is some, otherwise the text itself. */
export function readArguments(text: string): Json {
  const given = text.trim();
  if (given === "") return null;
  try {
    return JSON.parse(given) as Json;
  } catch {
    return given;
  }
}
