/** The list of built-in tools, one set per session, because some remember what happened in it. */
import type { Tool } from "@kedge/protocol";
import type { CodeIndex } from "./code-index/code-index.ts";
import { createCodesearchTool } from "./code-index/codesearch.ts";
import { createApplyPatchTool } from "./editing/apply-patch/apply-patch.ts";
import { createConflicts } from "./editing/conflicts/conflicts.ts";
import { createEditTool } from "./editing/edit.ts";
import { joinEditTools } from "./editing/edit-alias.ts";
import { createEditLinesTool } from "./editing/hashline/edit-lines.ts";
import { createVersionStore } from "./editing/hashline/versions.ts";
import { withTaggedResult, withTaggedRows } from "./editing/hashline/with-tags.ts";
import { createMultiEditTool } from "./editing/multi-edit.ts";
import { createNotebookEditTool } from "./editing/notebook-edit.ts";
import { createWriteTool } from "./editing/write.ts";
import { createBatchTool } from "./planning/batch.ts";
import { createCheckpointTool, createRewindTool } from "./planning/checkpoint.ts";
import { createPlanEnterTool, createPlanExitTool } from "./planning/plan.ts";
import { createQuestionTool } from "./planning/question.ts";
import type { TaskList } from "./planning/task-list.ts";
import { createTaskTools } from "./planning/tasks.ts";
import { createTodoReadTool, createTodoWriteTool } from "./planning/todo.ts";
import { createReadTool } from "./reading/read.ts";
import type { ReadSettings } from "./reading/read-parts.ts";
import { createGlobTool } from "./searching/glob.ts";
import { createGrepTool } from "./searching/grep.ts";
import { createListTool } from "./searching/list.ts";
import { createMemorySearchTool, type MemorySearchParts } from "./searching/memory-search.ts";
import type { RipgrepParts } from "./searching/ripgrep.ts";
import { type BashParts, createBashTool } from "./shell/bash.ts";
import { createInterceptor, type Interceptor, type InterceptorOptions } from "./shell/command/intercept-command.ts";
import { createBashKillTool } from "./shell/job/bash-kill.ts";
import { createBashOutputTool } from "./shell/job/bash-output.ts";
import { createJobTool } from "./shell/job/job.ts";
import type { PollWait } from "./shell/job/poll-wait.ts";
import { createSandboxNetworkTool } from "./shell/sandbox-network.ts";
import { createShellDirectory } from "./shell/shell-directory.ts";
import { createAstEditTool } from "./syntax/ast-edit.ts";
import { createAstGrepTool } from "./syntax/ast-grep.ts";
import type { Grammars } from "./syntax/grammars.ts";
import { createPendingEdits } from "./syntax/pending-edits.ts";
import { createResolveTool } from "./syntax/resolve.ts";
import { createBlockResolver } from "./syntax/resolve-block.ts";
import type { WebParts } from "./web/fetch-page.ts";
import { createPageLoader } from "./web/page-loader.ts";
import { createPageSource } from "./web/page-source.ts";
import { createWebfetchTool } from "./web/webfetch.ts";
import { createWebsearchTool, type WebsearchParts } from "./web/websearch.ts";

export type ToolParts = RipgrepParts &
  Omit<BashParts, "shellDirectory" | "interceptor"> & {
    /** Milliseconds since the epoch. */
    readonly wallClockMs: () => number;
    /** Whether a path lies in the directories of the session, all links followed. */
    readonly isInside: (path: string) => boolean;
    /** One for the whole process: loading them is slow. */
    readonly grammars: Grammars;
    readonly tasks: TaskList;
    readonly web: Omit<WebParts, "now"> & Pick<WebsearchParts, "backend">;
    readonly editing: EditingSettings;
    /** False leaves the model without a shell. */
    readonly isBashOffered: boolean;
    readonly pollWait: PollWait;
    /** With it commands are turned away for which there is a better tool. */
    readonly interceptor?: Pick<InterceptorOptions, "rules"> & { readonly onProblem: (sentence: string) => void };
    /** One for the process; without it code is not searched by topic. */
    readonly codeIndex?: CodeIndex;
    /** Without it earlier conversations cannot be searched. */
    readonly searchRecords?: MemorySearchParts["searchRecords"];
    readonly reading: ReadSettings;
    /** Lets the model mark a place of the conversation and come back to it with a report. */
    readonly offersCheckpoints: boolean;
  };

export type EditingSettings = {
  /** Finds what a model meant although it wrote it a little differently. */
  readonly fuzzyMatch: boolean;
  /** A match less alike than this is shown to a person first, from 0 to 1. */
  readonly fuzzyThreshold: number;
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
  const replacing = {
    fuzzyMatch: () => editing.fuzzyMatch,
    fuzzyThreshold: () => editing.fuzzyThreshold,
    blockGenerated,
  };
  const conflicts = createConflicts();
  const tags = { versions, isEditable: parts.isInside };
  const web = { ...parts.web, now: parts.now };
  const loader = createPageLoader(web);
  const webfetch = createWebfetchTool(web, loader);
  const pages = createPageSource({ loader, webfetch, now: parts.now });
  const offered = new Set<string>();
  const interceptor =
    parts.interceptor && createInterceptor({ ...parts.interceptor, isOffered: (name) => offered.has(name) });
  for (const problem of interceptor?.problems() ?? []) parts.interceptor?.onProblem(problem);
  const write = createWriteTool({ blockGenerated, conflicts, wallClockMs: parts.wallClockMs });
  const tools = [
    withTaggedRows(createReadTool({ ...parts, settings: parts.reading, conflicts, pages }), versions),
    createListTool(parts),
    createGlobTool(parts),
    createGrepTool({ ...parts, tags }),
    createAstGrepTool({ ...parts, tags }),
    ...joinEditTools({
      edit: createEditTool(replacing),
      editLines: createEditLinesTool({
        versions,
        resolveBlock: createBlockResolver(grammars),
        allowRecovery: editing.recovery,
        blockGenerated,
      }),
      others: [
        withTaggedResult(write, versions),
        createMultiEditTool(replacing),
        createApplyPatchTool({ blockGenerated }),
      ],
    }),
    createNotebookEditTool({ blockGenerated }),
    createAstEditTool({ ...parts, pendingEdits, blockGenerated }),
    createResolveTool({ grammars, pendingEdits }),
    ...(parts.isBashOffered ? createShellTools(parts, interceptor) : []),
    ...(parts.codeIndex === undefined ? [] : [createCodesearchTool({ index: parts.codeIndex })]),
    ...(parts.searchRecords === undefined ? [] : [createMemorySearchTool({ searchRecords: parts.searchRecords })]),
    createTodoWriteTool(),
    createTodoReadTool(),
    ...createTaskTools(parts.tasks),
    createQuestionTool(),
    createPlanEnterTool(),
    createPlanExitTool(),
    createBatchTool(),
    ...(parts.offersCheckpoints ? [createCheckpointTool(), createRewindTool()] : []),
    webfetch,
    ...asList(createWebsearchTool(parts.web)),
  ];
  for (const { name } of tools) offered.add(name);
  return tools;
}

function createShellTools({ interceptor: _, ...parts }: ToolParts, interceptor: Interceptor | undefined) {
  const shellDirectory = createShellDirectory({ isInside: parts.isInside });
  const bash = createBashTool({ ...parts, shellDirectory, ...(interceptor && { interceptor }) });
  const hosts = parts.confine === undefined ? [] : [createSandboxNetworkTool()];
  if (parts.jobsEnabled === false) return [bash, ...hosts];
  return [
    bash,
    ...hosts,
    createBashOutputTool(),
    createBashKillTool(),
    createJobTool({ pollWait: parts.pollWait, now: parts.now }),
  ];
}

/** A tool that lacks what it needs is none. */
function asList(tool: Tool | undefined): readonly Tool[] {
  return tool === undefined ? [] : [tool];
}
