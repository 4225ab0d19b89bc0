/** The tool `reproduce`: the model names how its reproduction fails, and kedge runs it and records what it saw. */
import { type JsonSchema, parseBySchema, type Reproduction, type Tool, type ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { SessionProof } from "./proof-parts.ts";
import { reproductionText } from "./reproduction-words.ts";

export type ReproduceInput = {
  readonly step: "before" | "after";
  readonly file?: string;
  readonly command?: string;
  readonly fails_with?: string;
  readonly base?: string;
  readonly task?: string;
};

const text: JsonSchema = { type: "string", minLength: 1 };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    step: { enum: ["before", "after"] },
    file: { ...text, description: "The script or test, for before" },
    command: { ...text, description: "What runs it, for before" },
    fails_with: { ...text, description: "How it fails, for before" },
    base: { ...text, description: "A commit without the fix; the one checked out by default" },
    task: text,
  },
  required: ["step"],
};

const resultCharactersMax = 8_000;
const title = "reproduce";

export function createReproduceTool(proof: SessionProof): Tool<ReproduceInput> {
  const latest = () => proof.reproductions().at(-1);
  return {
    name: "reproduce",
    description: textBeside(import.meta.url, "./texts/reproduce.md"),
    inputSchema,
    alwaysLoad: true,
    resultCharactersMax,
    parse: (input) => parseBySchema<ReproduceInput>(inputSchema, input),
    async validate({ step, file, command, fails_with }) {
      const isWhole = file !== undefined && command !== undefined && fails_with !== undefined;
      return step === "after" || isWhole ? undefined : "before needs file, command and fails_with.";
    },
    needs({ command = latest()?.command ?? "" }) {
      return [{ permission: "reproduce", patterns: [command], always: [command], access: "execute" }];
    },
    // It runs in copies, where the workspace cannot be changed.
    readOnly: () => false,
    concurrencySafe: () => false,
    async run(input, { signal }) {
      const known = latest();
      if (known === undefined) return refusal("No reproduction was requested.");
      const site = await openSite(proof);
      if (!site.ok) return refusal(site.why);
      const { checkAfter, checkBefore } = await import("./check-reproduction.ts");
      const { step, file = "", command = "", fails_with: failsWith = "", base, task } = input;
      const linked: Reproduction = { ...known, ...(task !== undefined && { task }) };
      const wish = { file, command, failsWith, ...(base !== undefined && { base }) };
      const answer =
        step === "before"
          ? await checkBefore(linked, wish, site.value, signal)
          : await checkAfter(linked, site.value, signal);
      if (!answer.ok) return refusal([answer.failure.message, answer.failure.recovery ?? ""].join(" ").trim());
      await proof.record(answer.value);
      return outputOf(answer.value, step);
    },
  };
}

async function openSite({ parts }: SessionProof) {
  const { openCheckout } = await import("../worktrees/open-worktrees.ts");
  const opened = openCheckout(parts);
  if (!opened.ok) return { ok: false as const, why: opened.failure.message };
  const value = { ...parts, cwd: parts.project.cwd, worktrees: opened.value };
  return { ok: true as const, value };
}

function refusal(why: string): ToolOutput {
  return { output: why, title, isError: true };
}

function outputOf(reproduction: Reproduction, step: ReproduceInput["step"]): ToolOutput {
  const { id, state, file = "" } = reproduction;
  // A failure before the fix is what is wanted; one after it is a test that fails.
  const grades = step === "before" ? [] : [{ file, name: `reproduction ${id}`, isPassed: state === "proven" }];
  const metadata = { reproduction: id, state, grades };
  return { output: reproductionText(reproduction), title: `${title}: ${state}`, metadata };
}
