/** The list of built-in tools, in the order in which a model sees them. */
import type { Tool } from "@kedge/protocol";
import { type BashParts, createBashTool } from "./bash.ts";
import { createBatchTool } from "./batch.ts";
import { createEditTool } from "./edit.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";
import { createListTool } from "./list.ts";
import { createPlanEnterTool, createPlanExitTool } from "./plan.ts";
import { createQuestionTool } from "./question.ts";
import { createReadTool } from "./read.ts";
import type { RipgrepParts } from "./ripgrep.ts";
import { createTodoReadTool, createTodoWriteTool } from "./todo.ts";
import { createWriteTool } from "./write.ts";

export type ToolParts = RipgrepParts & BashParts;

export function createTools(parts: ToolParts): readonly Tool[] {
  return [
    createReadTool(),
    createListTool(parts),
    createGlobTool(parts),
    createGrepTool(parts),
    createWriteTool(),
    createEditTool(),
    createBashTool(parts),
    createTodoWriteTool(),
    createTodoReadTool(),
    createQuestionTool(),
    createPlanEnterTool(),
    createPlanExitTool(),
    createBatchTool(),
  ];
}
