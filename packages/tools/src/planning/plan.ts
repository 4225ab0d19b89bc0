/** The tools `plan_enter` and `plan_exit`: begin to plan without changing anything, and present the plan for approval. */
import { resolve } from "node:path";
import type { JsonSchema, Tool, ToolContext } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { loadText } from "../file-content.ts";
import { parseInput } from "../tool-input.ts";
import { shortPath } from "../tool-path.ts";

/** The only place that may be written while planning. */
const planFolder = ".kedge/plans";
const planCharactersMax = 50_000;
const resultCharactersMax = 4_000;

const enterSchema: JsonSchema = { type: "object", properties: { reason: { type: "string" } } };

export function createPlanEnterTool(): Tool<{ readonly reason?: string }> {
  return {
    name: "plan_enter",
    description: textBeside(import.meta.url, "./plan-enter.md"),
    searchHint: "plan mode think before changing anything propose",
    inputSchema: enterSchema,
    resultCharactersMax,
    parse: (input) => parseInput<{ readonly reason?: string }>(enterSchema, input ?? {}),
    needs: () => [{ permission: "plan", patterns: ["enter"], always: ["enter"], access: "execute" }],
    readOnly: () => true,
    concurrencySafe: () => false,
    async run({ reason }, context) {
      const title = reason ?? "planning";
      if (context.planning.mode() === "plan") return { output: "You are planning already.", title };
      await context.planning.enter();
      return { output: "You are planning now.", title };
    },
  };
}

type ExitInput = { readonly planPath: string };

const exitSchema: JsonSchema = {
  type: "object",
  properties: { planPath: { type: "string", minLength: 1 } },
  required: ["planPath"],
};

/** The permission question is the approval: its preview is the plan, a rejection with words is the feedback. */
export function createPlanExitTool(): Tool<ExitInput> {
  return {
    name: "plan_exit",
    description: textBeside(import.meta.url, "./plan-exit.md"),
    searchHint: "plan mode approval present plan finish planning",
    inputSchema: exitSchema,
    resultCharactersMax,
    parse: (input) => parseInput<ExitInput>(exitSchema, input),
    validate: async (input, context) => problemOf(input, context),
    needs: ({ planPath }) => [{ permission: "plan", patterns: [`exit ${planPath}`], always: [], access: "execute" }],
    preview: async (input, context) => planText(input, context),
    readOnly: () => true,
    concurrencySafe: () => false,
    async run({ planPath }, context) {
      await context.planning.leave();
      const output = `The plan is approved. The mode is ${context.planning.mode()} again; carry the plan out.`;
      return { output, title: planPath };
    },
  };
}

async function problemOf(input: ExitInput, context: ToolContext): Promise<string | undefined> {
  if (context.planning.mode() !== "plan")
    return "You are not planning, so there is nothing to leave. Continue with the work.";
  const place = shortPath(resolve(context.cwd, input.planPath), context.cwd);
  if (!place.startsWith(`${planFolder}/`))
    return `Plans are written to ${planFolder}; write it there and name that path.`;
  const text = planText(input, context);
  return text === undefined || text.trim() === ""
    ? `${place} does not exist or is empty; write the plan first.`
    : undefined;
}

function planText({ planPath }: ExitInput, { cwd, reading }: ToolContext): string | undefined {
  const path = resolve(cwd, planPath);
  if (reading.of(path).answer !== "allow") return undefined;
  const loaded = loadText(path);
  return loaded.kind === "text" ? loaded.text.slice(0, planCharactersMax) : undefined;
}
