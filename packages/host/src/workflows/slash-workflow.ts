/** `/workflow`: lists workflows and their runs, and starts, resumes and stops them beside the conversation. */
import type { Json } from "@kedge/protocol";
import type { WorkflowStart, Workflows, WorkflowWatch } from "./open-workflows.ts";
import {
  endText,
  newsText,
  readArguments,
  resultText,
  runLines,
  workflowData,
  workflowLines,
} from "./workflow-words.ts";

export type WorkflowAnswer = { readonly text: string; readonly data?: Json };

export type SlashWorkflowParts = {
  readonly workflows: Workflows;
  readonly sessionId: string;
  readonly onNotice: (sentence: string) => void;
  /** Runs of this process, by id. */
  readonly stops: Map<string, AbortController>;
};

const usage =
  "Usage: /workflow, or /workflow with one of: run <name> [arguments], runs, show <run>, resume <run>, stop <run>.";

export async function runSlashWorkflow(argument: string, parts: SlashWorkflowParts): Promise<WorkflowAnswer> {
  const { workflows, sessionId, stops } = parts;
  const [action = "list", name = "", ...rest] = argument.split(/\s+/).filter(Boolean);
  if (action === "list") return { text: workflowLines(workflows.find()), data: workflowData(workflows.find()) };
  if (action === "runs") return { text: runLines(workflows), data: { runs: [...workflows.records.list()] } };
  if (name === "" || (rest.length > 0 && action !== "run")) return { text: usage };
  switch (action) {
    case "show": {
      const record = workflows.records.find(name);
      if (record === undefined) return { text: `No workflow run ${name}. List runs with /workflow runs.` };
      return { text: record.result === undefined ? endText(record) : resultText(record.result), data: { run: record } };
    }
    case "stop":
      if (!workflows.isRunning(name)) return { text: `Workflow run ${name} is not running here.` };
      stops.get(name)?.abort();
      return { text: `Stopping workflow run ${name}.` };
    case "run": {
      const args = readArguments(argument.slice(argument.indexOf(name, action.length) + name.length));
      return follow((watch) => workflows.run({ name, args, sessionId }, watch), parts);
    }
    case "resume": {
      const record = workflows.records.find(name);
      if (record !== undefined && record.sessionId !== sessionId)
        return {
          text: `Workflow run ${name} belongs to session ${record.sessionId}. Run kedge workflow resume ${name}.`,
        };
      return follow((watch) => workflows.resume(name, watch), parts);
    }
    default:
      return { text: usage };
  }
}

/** Nobody waits for it: the conversation continues, and its progress is shown as it comes. */
function follow(
  begin: (watch: WorkflowWatch) => WorkflowStart,
  { onNotice, stops }: SlashWorkflowParts,
): WorkflowAnswer {
  const stop = new AbortController();
  const start = begin({ signal: stop.signal, onNews: (news) => onNotice(newsText(news)) });
  if (!start.ok) return { text: start.sentence };
  const { runId, name } = start.record;
  stops.set(runId, stop);
  void start.ended.then((record) => {
    stops.delete(runId);
    onNotice(endText(record));
  });
  return { text: `Workflow ${name} started as ${runId}. Stop it with /workflow stop ${runId}.`, data: { runId } };
}
