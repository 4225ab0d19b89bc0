/** The tools `todo_write` and `todo_read`: the list of what is to be done in this session. */
import type { JsonSchema, Todo, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../tool-input.ts";

export type TodoWriteInput = { readonly todos: readonly Todo[] };

const todosMax = 100;
const resultCharactersMax = 10_000;

const writeSchema: JsonSchema = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      maxItems: todosMax,
      items: {
        type: "object",
        properties: {
          content: { type: "string", minLength: 1 },
          status: { enum: ["pending", "in_progress", "completed", "cancelled"] },
          priority: { enum: ["high", "medium", "low"] },
        },
        required: ["content", "status"],
      },
    },
  },
  required: ["todos"],
};

/** Replaces the whole list: a model that must say all of it forgets nothing of it. */
export function createTodoWriteTool(): Tool<TodoWriteInput> {
  return {
    name: "todo_write",
    description: textBeside(import.meta.url, "./todo-write.md"),
    inputSchema: writeSchema,
    resultCharactersMax,
    parse: (input) => parseInput<TodoWriteInput>(writeSchema, input),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => false,
    async run({ todos }, context) {
      const list = todos.map(({ content, status, priority = "medium" }) => ({ content, status, priority }));
      await context.todos.replace(list);
      const open = list.filter(({ status }) => status === "pending" || status === "in_progress");
      const started = list.filter(({ status }) => status === "in_progress");
      const warning = started.length > 1 ? ` ${started.length} are in progress at once; work on one at a time.` : "";
      const title = `${open.length} of ${list.length} open`;
      return { output: `Kept ${list.length} items, ${open.length} of them open.${warning}`, title };
    },
  };
}

const readSchema: JsonSchema = { type: "object", properties: {} };

export function createTodoReadTool(): Tool<Record<string, never>> {
  return {
    name: "todo_read",
    description: "Shows the list that todo_write keeps.",
    searchHint: "todo list tasks plan progress",
    inputSchema: readSchema,
    resultCharactersMax,
    parse: () => ({ ok: true, input: {} }),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async (_, context) => ({ output: todosText(context.todos.list()), title: "todo list" }),
  };
}

const boxes: { readonly [status in Todo["status"]]: string } = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  cancelled: "[-]",
};

function todosText(todos: readonly Todo[]): string {
  if (todos.length === 0) return "The list is empty.";
  return todos.map(({ content, status, priority }) => `${boxes[status]} ${content} (${priority})`).join("\n");
}
