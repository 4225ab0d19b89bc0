/** The list of built-in tools, one set per session, because some remember what happened in it. */
import type { Tool } from "@kedge/protocol";
import { createApplyPatchTool } from "./apply-patch/apply-patch.ts";
import { createAstEditTool } from "./ast-edit.ts";
import { createAstGrepTool } from "./ast-grep.ts";
import { type BashParts, createBashTool } from "./bash.ts";
import { createBashKillTool } from "./bash-kill.ts";
import { createBashOutputTool } from "./bash-output.ts";
import { createBatchTool } from "./batch.ts";
import { createEditTool } from "./edit.ts";
import { createEditLinesTool } from "./edit-lines.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";
import { createVersionStore } from "./hashline/versions.ts";
import { withTaggedResult, withTaggedRows } from "./hashline/with-tags.ts";
import { createListTool } from "./list.ts";
import { createMultiEditTool } from "./multi-edit.ts";
import { createNotebookEditTool } from "./notebook-edit.ts";
import { createPendingEdits } from "./pending-edits.ts";
import { createPlanEnterTool, createPlanExitTool } from "./plan.ts";
import { createQuestionTool } from "./question.ts";
import { createReadTool } from "./read.ts";
import { createResolveTool } from "./resolve.ts";
import type { RipgrepParts } from "./ripgrep.ts";
import { createShellDirectory } from "./shell/shell-directory.ts";
import type { Grammars } from "./syntax/grammars.ts";
import { createBlockResolver } from "./syntax/resolve-block.ts";
import type { TaskList } from "./task-list.ts";
import { createTaskTools } from "./tasks.ts";
import { createTodoReadTool, createTodoWriteTool } from "./todo.ts";
import type { WebParts } from "./web/fetch-page.ts";
import { createWebfetchTool } from "./webfetch.ts";
import { createWebsearchTool, type WebsearchParts } from "./websearch.ts";
import { createWriteTool } from "./write.ts";

export type ToolParts = RipgrepParts &
  Omit<BashParts, "shellDirectory"> & {
    /** Milliseconds since the epoch. */
    readonly wallClockMs: () => number;
    /** Whether a path lies in the directories of the session, all links followed. */
    readonly isInside: (path: string) => boolean;
    /** One for the whole process: loading them is slow. */
    readonly grammars: Grammars;
    readonly tasks: TaskList;
    readonly web: Omit<WebParts, "now"> & Pick<WebsearchParts, "backend">;
    readonly editing: EditingSettings;
  };

export type EditingSettings = {
  /** Finds what a model meant although it wrote it a little differently. */
  readonly fuzzyMatch: boolean;
  /** Refuses to change files that a program makes. */
  readonly blockGenerated: boolean;
  /** Lets edits of an outdated version through where nothing unseen is overwritten. */
  readonly recovery: boolean;
};

export function createTools(parts: ToolParts): readonly Tool[] {
  const { grammars, editing } = parts;
  const pendingEdits = createPendingEdits();
  const versions = createVersionStore();
  const blockGenerated = () => editing.blockGenerated;
  const replacing = { fuzzyMatch: () => editing.fuzzyMatch, blockGenerated };
  return [
    withTaggedRows(createReadTool(parts), versions),
    createListTool(parts),
    createGlobTool(parts),
    createGrepTool(parts),
    createAstGrepTool(parts),
    withTaggedResult(createWriteTool({ blockGenerated }), versions),
    createEditTool(replacing),
    createMultiEditTool(replacing),
    createApplyPatchTool({ blockGenerated }),
    createEditLinesTool({
      versions,
      resolveBlock: createBlockResolver(grammars),
      allowRecovery: editing.recovery,
    }),
    createNotebookEditTool(),
    createAstEditTool({ ...parts, pendingEdits, blockGenerated }),
    createResolveTool({ grammars, pendingEdits }),
    createBashTool({ ...parts, shellDirectory: createShellDirectory({ isInside: parts.isInside }) }),
    createBashOutputTool(),
    createBashKillTool(),
    createTodoWriteTool(),
    createTodoReadTool(),
    ...createTaskTools(parts.tasks),
    createQuestionTool(),
    createPlanEnterTool(),
    createPlanExitTool(),
    createBatchTool(),
    createWebfetchTool({ ...parts.web, now: parts.now }),
    ...asList(createWebsearchTool(parts.web)),
  ];
}

/** A tool that lacks what it needs is none. */
function asList(tool: Tool | undefined): readonly Tool[] {
  return tool === undefined ? [] : [tool];
}
