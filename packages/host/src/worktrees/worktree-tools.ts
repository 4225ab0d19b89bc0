/** The tools `worktree_enter` and `worktree_exit`: a worktree for a part of the work, made and left by the model. */
import {
  type Answer,
  type JsonSchema,
  notFound,
  parseBySchema,
  type Tool,
  type ToolOutput,
  type ToolSource,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { WorktreeSite } from "./open-worktrees.ts";

type EnterInput = { readonly name: string };
type ExitInput = { readonly name: string; readonly action: "keep" | "remove" };

const name: JsonSchema = { type: "string", minLength: 1, description: "letters, digits, dots, dashes, underscores" };
const enterSchema: JsonSchema = { type: "object", properties: { name }, required: ["name"] };
const exitSchema: JsonSchema = {
  type: "object",
  properties: { name, action: { type: "string", enum: ["keep", "remove"] } },
  required: ["name", "action"],
};

const resultCharactersMax = 4_000;

/** What makes worktrees is loaded with the first call. */
export function createWorktreeToolSource(
  site: WorktreeSite,
  hooksOf: (sessionId: string) => WorktreeSite["worktreeHooks"],
): ToolSource {
  return {
    name: "worktrees",
    kind: "built-in",
    open({ sessionId }) {
      const own = { ...site, worktreeHooks: hooksOf(sessionId) };
      const tools: readonly Tool[] = [enterTool(own), exitTool(own)];
      return { tools: () => tools };
    },
  };
}

function enterTool(site: WorktreeSite): Tool<EnterInput> {
  return {
    ...shape("worktree_enter", enterSchema),
    description: textBeside(import.meta.url, "./worktree-enter.md"),
    parse: (input) => parseBySchema<EnterInput>(enterSchema, input),
    needs: (input) => [
      { permission: "worktree", patterns: [`enter ${input.name}`], always: ["enter *"], access: "execute" },
    ],
    async run(input) {
      const { openWorktrees } = await import("./open-worktrees.ts");
      const { createWorktree } = await import("@kedge/agents/worktrees");
      const opened = openWorktrees(site);
      if (!opened.ok) return problem(opened, input.name);
      const made = await createWorktree(input.name, opened.value);
      if (!made.ok) return problem(made, input.name);
      const { directory, branch, notices } = made.value;
      const lines = [
        `Worktree ${input.name}: ${directory}${branch === "" ? "" : `, branch ${branch}`}.`,
        `Work there by this path; what you change elsewhere stays in the main checkout. Commit there, then call worktree_exit.`,
        ...notices,
      ];
      return { output: lines.join("\n"), title: input.name, metadata: { directory, branch } };
    },
  };
}

function exitTool(site: WorktreeSite): Tool<ExitInput> {
  return {
    ...shape("worktree_exit", exitSchema),
    description: textBeside(import.meta.url, "./worktree-exit.md"),
    parse: (input) => parseBySchema<ExitInput>(exitSchema, input),
    needs: (input) => [
      {
        permission: "worktree",
        patterns: [`${input.action} ${input.name}`],
        always: [`${input.action} *`],
        access: "execute",
      },
    ],
    async run({ name: wanted, action }) {
      const { openWorktrees } = await import("./open-worktrees.ts");
      const { findWorktree, listWorktrees, removeByHook, removeWorktree } = await import("@kedge/agents/worktrees");
      const opened = openWorktrees(site);
      if (!opened.ok) return problem(opened, wanted);
      const { repository } = opened.value;
      const listed = await listWorktrees(repository);
      if (!listed.ok) return { output: listed.problem, isError: true, title: wanted };
      const found = findWorktree(listed.worktrees, wanted);
      if (found?.kind === "left" && found.hook !== undefined) {
        const stays = action === "keep" ? "" : await removeByHook(repository, found.hook, opened.value.hooks);
        if (stays === undefined) return { output: `Worktree ${wanted} is removed.`, title: wanted };
        const output = `Worktree ${wanted} was kept: ${found.directory}${stays === "" ? "" : ` (${stays})`}.`;
        return { output, title: wanted, ...(stays !== "" && { isError: true }) };
      }
      if (found?.kind !== "made") return problem(notFound("worktree", wanted), wanted);
      const { directory, record } = found;
      const where = `${directory}, branch ${record.branch}`;
      if (action === "keep") return { output: `Worktree ${wanted} was kept: ${where}.`, title: wanted };
      const removal = await removeWorktree(repository, found, opened.value.hooks);
      if (removal.ok) return { output: `Worktree ${wanted} and its branch are removed.`, title: wanted };
      const output = `Worktree ${wanted} was not removed: ${removal.reasons.join(", ")}. It is still at ${where}.`;
      return { output, isError: true, title: wanted };
    },
  };
}

function shape(toolName: string, inputSchema: JsonSchema) {
  return {
    name: toolName,
    inputSchema,
    searchHint: "git worktree branch isolate separate checkout",
    resultCharactersMax,
    readOnly: () => false,
    concurrencySafe: () => false,
  };
}

function problem(answer: Extract<Answer<unknown>, { ok: false }>, title: string): ToolOutput {
  const { message, recovery } = answer.failure;
  return { output: recovery === undefined ? message : `${message} ${recovery}`, isError: true, title };
}
