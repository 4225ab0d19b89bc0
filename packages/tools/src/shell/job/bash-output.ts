/** The `bash_output` tool: what a background job printed since the last look, and how it fares. */
import { isJsonObject, type Job, type JsonSchema, type Tool, type ToolContext, type ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../../tool-input.ts";

export type BashOutputInput = { readonly jobID: string; readonly filter?: string };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { jobID: { type: "string", minLength: 1 }, filter: { type: "string", minLength: 1 } },
  required: ["jobID"],
};

/** Some patterns need ages on some lines. */
const filterMsMax = 250;

export function createBashOutputTool(): Tool<BashOutputInput> {
  return {
    name: "bash_output",
    description: textBeside(import.meta.url, "./bash-output.md"),
    inputSchema,
    searchHint: "background jobs output of a running command",
    resultCharactersMax: 30_000,
    parse: (input) => parseInput<BashOutputInput>(inputSchema, input),
    validate: async ({ jobID, filter }, { jobs }) => describeUnknownJob(jobID, jobs) ?? describeBadFilter(filter),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => false,
    run: showOutput,
  };
}

export function describeUnknownJob(jobId: string, jobs: ToolContext["jobs"]): string | undefined {
  if (jobs.find(jobId) !== undefined) return undefined;
  const known = jobs.list().map((job) => `${job.jobId} (${job.status})`);
  return `There is no job ${jobId}. ${known.length === 0 ? "No jobs have been started recently." : `The jobs are: ${known.join(", ")}.`}`;
}

/** One line on a job, for the model. */
export function describeJob({ jobId, status, exitCode, durationMs, artifact }: Job): string {
  const exit = exitCode === undefined ? "" : ` with exit code ${exitCode}`;
  return `(${jobId}: ${status}${exit}, ${(durationMs / 1_000).toFixed(1)} s; all output: artifact://${artifact})`;
}

function describeBadFilter(filter: string | undefined): string | undefined {
  try {
    new RegExp(filter ?? "");
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `filter: ${error.message}`;
  }
}

async function showOutput({ jobID, filter }: BashOutputInput, { jobs }: ToolContext): Promise<ToolOutput> {
  const text = jobs.takeOutput(jobID);
  const job = jobs.find(jobID);
  if (job === undefined) return { output: `There is no job ${jobID}.`, isError: true, title: jobID };
  const shown = filter === undefined || text === "" ? text : await matchingLines(text, filter);
  if (shown === undefined) {
    const output = `The filter took longer than ${filterMsMax} ms; use a simpler one, or read artifact://${job.artifact}.`;
    return { output, isError: true, title: jobID };
  }
  const body = shown === "" ? `(no new output${filter === undefined || text === "" ? "" : " matches"})\n` : shown;
  const { status, durationMs, artifact, exitCode = null } = job;
  return {
    output: `${body}${body.endsWith("\n") ? "" : "\n"}${describeJob(job)}`,
    title: job.command,
    metadata: { jobId: jobID, status, exitCode, durationMs, artifactId: artifact },
  };
}

/** Undefined when the pattern took too long. Loaded late: few sessions filter. */
async function matchingLines(text: string, filter: string): Promise<string | undefined> {
  const { runInNewContext } = await import("node:vm");
  const script = 'text.split("\\n").filter((line) => line !== "" && pattern.test(line)).join("\\n")';
  try {
    return String(runInNewContext(script, { text, pattern: new RegExp(filter) }, { timeout: filterMsMax }));
  } catch (error) {
    // The error may come from the other context, whose classes are not ours.
    if (isJsonObject(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}
