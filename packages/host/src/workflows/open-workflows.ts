/** Runs workflows in sessions of this process, and resumes those that were cut off. */
import { openWorkflowSteps, type WorkflowRecord, type WorkflowStep } from "@kedge/agents/workflows";
import { runWorkflowProcess } from "@kedge/extend/code";
import { type AgentRuns, type Json, type JsonObject, nearNames, stripTerminalControls } from "@kedge/protocol";
import type { Project } from "../machine/project.ts";
import { type FoundWorkflow, type FoundWorkflows, findWorkflows, type WorkflowSite } from "./find-workflows.ts";
import { openWorkflowRecords, type WorkflowRecords } from "./workflow-records.ts";

export type WorkflowParts = WorkflowSite & {
  readonly project: Project;
  readonly interactive: boolean;
  readonly runs: () => Promise<AgentRuns>;
  readonly newRunId: () => string;
  /** Where the records of runs lie. */
  readonly directory: string;
  /** Without secrets, and tied to this process. */
  readonly environment: () => { readonly [name: string]: string };
  readonly zodUrl: () => string;
  readonly redact: (text: string) => string;
};

export type WorkflowNews =
  | { readonly type: "step"; readonly step: WorkflowStep }
  | { readonly type: "phase" | "log"; readonly text: string };

export type WorkflowWatch = { readonly signal: AbortSignal; readonly onNews: (news: WorkflowNews) => void };

export type WorkflowStart =
  | { readonly ok: true; readonly record: WorkflowRecord; readonly ended: Promise<WorkflowRecord> }
  | { readonly ok: false; readonly sentence: string };

export type Workflows = {
  find(): FoundWorkflows;
  readonly records: Pick<WorkflowRecords, "list" | "find">;
  /** The session must be open; its agents are the steps. */
  run(
    wish: { readonly name: string; readonly args: Json; readonly sessionId: string },
    watch: WorkflowWatch,
  ): WorkflowStart;
  /** Why no run of this name can start; undefined if one can. */
  refusal(name: string): string | undefined;
  /** Steps that completed are not repeated. The session of the run must be open. */
  resume(runId: string, watch: WorkflowWatch): WorkflowStart;
  /** Whether it runs in this process. */
  isRunning(runId: string): boolean;
};

const textCharactersMax = 2_000;
/** A loop that reports without end must not fill a screen or a memory. */
const textsMax = 1_000;

export function openWorkflows(parts: WorkflowParts): Workflows {
  const records = openWorkflowRecords(parts.directory);
  const running = new Set<string>();

  function begin(workflow: FoundWorkflow, record: WorkflowRecord, watch: WorkflowWatch): WorkflowStart {
    running.add(record.runId);
    records.write(record);
    const ended = execute(workflow, record, watch)
      .catch((error: unknown) => endOf(record, "failed", { problem: sentenceOf(error) }))
      .then((end) => {
        running.delete(record.runId);
        records.write(end);
        return end;
      });
    return { ok: true, record, ended };
  }

  const endOf = (
    record: WorkflowRecord,
    status: WorkflowRecord["status"],
    more: Pick<WorkflowRecord, "problem" | "result">,
  ): WorkflowRecord => ({ ...record, status, endedAt: parts.now(), ...more });

  async function execute(
    { file, digests, origin }: FoundWorkflow,
    record: WorkflowRecord,
    { signal, onNews }: WorkflowWatch,
  ): Promise<WorkflowRecord> {
    const { cwd, root, projectId } = parts.project;
    const clean = (text: string) => stripTerminalControls(parts.redact(text)).slice(0, textCharactersMax);
    let texts = 0;
    const show = (type: "phase" | "log", text: string) => {
      texts += 1;
      if (texts <= textsMax) onNews({ type, text: clean(text) });
      if (texts === textsMax) onNews({ type: "log", text: `Only the first ${textsMax} lines are shown.` });
    };
    const steps = await openWorkflowSteps({
      runs: await parts.runs(),
      ...{ sessionId: record.sessionId, runId: record.runId },
      onStep: (step) => onNews({ type: "step", step: { ...step, label: clean(step.label) } }),
    });
    const onWish = async (name: string, value: JsonObject): Promise<Json | undefined> => {
      if (name === "agent") return steps.agent(value, signal);
      if (name === "phase") show("phase", String(value["title"]));
      if (name === "log") show("log", String(value["text"]));
      return undefined;
    };
    const reply = await runWorkflowProcess(
      {
        ...{ file, digests, onWish, args: record.args, root: origin === "project" ? root : parts.home.directory },
        place: { cwd, root, projectId, hasUI: parts.interactive },
        zodUrl: parts.zodUrl(),
        environment: parts.environment(),
        onLog: (level, text) => show("log", `${level}: ${text}`),
      },
      signal,
    );
    // It is JSON: it came over the channel.
    if (reply.ok) return endOf(record, "completed", { result: reply.value as Json });
    if (reply.kind === "interrupted") return endOf(record, "stopped", { problem: "It was canceled." });
    return endOf(record, "failed", { problem: `${clean(reply.problem).replace(/\.$/, "")}.` });
  }

  const found = (name: string): FoundWorkflow | string => {
    const { used, problems } = findWorkflows(parts);
    const workflow = used.find((each) => each.name === name);
    if (workflow !== undefined) return workflow;
    if (problems.length > 0 && used.length === 0) return problems.join("\n");
    const [near] = nearNames(
      name,
      used.map((each) => each.name),
      { countMax: 1 },
    );
    return `No workflow named ${name}.${near === undefined ? " Run kedge workflow list." : ` Did you mean ${near}?`}`;
  };

  return {
    find: () => findWorkflows(parts),
    records,
    isRunning: (runId) => running.has(runId),
    refusal(name) {
      const workflow = found(name);
      return typeof workflow === "string" ? workflow : undefined;
    },
    run({ name, args, sessionId }, watch) {
      const workflow = found(name);
      if (typeof workflow === "string") return { ok: false, sentence: workflow };
      const { file, digest } = workflow;
      const runId = parts.newRunId();
      const start = { runId, sessionId, name, file, digest, args, startedAt: parts.now() };
      return begin(workflow, { ...start, status: "running" }, watch);
    },
    resume(runId, watch) {
      const before = records.find(runId);
      if (before === undefined)
        return { ok: false, sentence: `No workflow run ${runId}. List runs with kedge workflow runs.` };
      if (running.has(runId)) return { ok: false, sentence: `Workflow run ${runId} is already running.` };
      if (before.status === "completed")
        return {
          ok: false,
          sentence: `Workflow run ${runId} is complete. Run kedge workflow show ${runId} to see its result.`,
        };
      const workflow = found(before.name);
      if (typeof workflow === "string") return { ok: false, sentence: workflow };
      if (workflow.digest !== before.digest)
        watch.onNews({
          type: "log",
          text: `${workflow.name} changed since this run started. Unchanged steps are not repeated.`,
        });
      const { endedAt: _, problem: __, ...kept } = before;
      return begin(workflow, { ...kept, file: workflow.file, digest: workflow.digest, status: "running" }, watch);
    },
  };
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
