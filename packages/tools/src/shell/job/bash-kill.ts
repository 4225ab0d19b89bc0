/** The `bash_kill` tool: ends a background job. */
import type { JsonSchema, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../../tool-input.ts";
import { describeJob, describeUnknownJob } from "./bash-output.ts";

export type BashKillInput = { readonly jobID: string };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { jobID: { type: "string", minLength: 1 } },
  required: ["jobID"],
};

export function createBashKillTool(): Tool<BashKillInput> {
  return {
    name: "bash_kill",
    description: textBeside(import.meta.url, "./bash-kill.md"),
    inputSchema,
    searchHint: "background jobs end a running command",
    resultCharactersMax: 1_000,
    parse: (input) => parseInput<BashKillInput>(inputSchema, input),
    validate: async ({ jobID }, { jobs }) => describeUnknownJob(jobID, jobs),
    // Ending what this session was allowed to start needs no further permission.
    needs: () => [],
    readOnly: () => false,
    concurrencySafe: () => false,
    async run({ jobID }, { jobs }) {
      const wasRunning = jobs.find(jobID)?.status === "running";
      await jobs.kill(jobID);
      const job = jobs.find(jobID);
      if (job === undefined) return { output: `There is no job ${jobID}.`, isError: true, title: jobID };
      const sentence = wasRunning ? `${jobID} was ended.` : `${jobID} was over already.`;
      return {
        output: `${sentence} ${describeJob(job)}`,
        title: job.command,
        metadata: { jobId: jobID, status: job.status },
      };
    },
  };
}
