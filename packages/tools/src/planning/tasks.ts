/** The tools `task_create`, `task_get`, `task_list` and `task_update`: work that several agents share. */
import { counted, type JsonSchema, type Tool } from "@kedge/protocol";
import { parseInput } from "../tool-input.ts";
import type { Task, TaskChange, TaskList, TaskStatus } from "./task-list.ts";

const resultCharactersMax = 20_000;
const tasksMax = 500;
const statuses: readonly TaskStatus[] = ["open", "in_progress", "done", "cancelled"];

type CreateInput = { readonly subject: string; readonly description: string; readonly blockedBy?: readonly string[] };
type UpdateInput = {
  readonly id: string;
  readonly status?: TaskStatus;
  readonly owner?: string;
  readonly note?: string;
};

const text: JsonSchema = { type: "string", minLength: 1 };

export function createTaskTools(list: TaskList): readonly Tool[] {
  return [createTool(list), getTool(list), listTool(list), updateTool(list)];
}

type Shape<Input> = Pick<Tool<Input>, "name" | "description" | "inputSchema" | "run"> & { readonly reads: boolean };

/** They change nothing but the list, which is not part of the workspace. */
function taskTool<Input>({ reads, ...shape }: Shape<Input>): Tool<Input> {
  return {
    ...shape,
    searchHint: "tasks shared list team claim owner dependencies",
    resultCharactersMax,
    parse: (input) => parseInput<Input>(shape.inputSchema, input ?? {}),
    needs: () => [{ permission: "todo", patterns: [shape.name], always: [shape.name], access: "read" }],
    readOnly: () => true,
    concurrencySafe: () => reads,
  };
}

function createTool(list: TaskList): Tool {
  return taskTool<CreateInput>({
    name: "task_create",
    description: "Adds a task to the shared list. blockedBy names tasks that must be done before.",
    inputSchema: {
      type: "object",
      properties: { subject: text, description: text, blockedBy: { type: "array", items: text } },
      required: ["subject", "description"],
    },
    reads: false,
    run: async ({ subject, description, blockedBy = [] }) => {
      const changed = await list.change((tasks): TaskChange<Task> => {
        if (tasks.length >= tasksMax)
          return { ok: false, problem: `The list is full (${tasksMax} tasks); finish some.` };
        const missing = blockedBy.filter((id) => tasks.every((task) => task.id !== id));
        if (missing.length > 0)
          return { ok: false, problem: `No task ${missing.join(", ")}. List tasks with task_list.` };
        const task: Task = { id: nextId(tasks), subject, description, status: "open", blockedBy, notes: [] };
        return { ok: true, tasks: [...tasks, task], result: task };
      });
      if (!changed.ok) return { output: changed.problem, isError: true, title: subject };
      return { output: `Created ${changed.result.id}.`, title: subject, metadata: { taskId: changed.result.id } };
    },
  });
}

function getTool(list: TaskList): Tool {
  return taskTool<{ readonly id: string }>({
    name: "task_get",
    description: "Shows one task of the shared list, whole.",
    inputSchema: { type: "object", properties: { id: text }, required: ["id"] },
    reads: true,
    run: async ({ id }) => {
      const task = list.read().find((each) => each.id === id);
      if (task === undefined) return { output: `No task ${id}. List tasks with task_list.`, isError: true, title: id };
      return { output: JSON.stringify(task, undefined, 1), title: task.subject };
    },
  });
}

function listTool(list: TaskList): Tool {
  return taskTool<{ readonly status?: TaskStatus }>({
    name: "task_list",
    description: "Lists the shared tasks: id, status, owner, what blocks them, subject.",
    inputSchema: { type: "object", properties: { status: { enum: statuses } } },
    reads: true,
    run: async ({ status }) => {
      const tasks = list.read();
      const shown = tasks.filter((task) => status === undefined || task.status === status);
      const lines = shown.map((task) => taskLine(task, tasks));
      return {
        output: lines.length === 0 ? "There is no such task." : lines.join("\n"),
        title: counted(shown.length, "task"),
      };
    },
  });
}

function updateTool(list: TaskList): Tool {
  return taskTool<UpdateInput>({
    name: "task_update",
    description:
      "Changes status or owner of a task, or adds a note. Whoever sets the owner of a free task first has it.",
    inputSchema: {
      type: "object",
      properties: { id: text, status: { enum: statuses }, owner: text, note: text },
      required: ["id"],
    },
    reads: false,
    run: async (input) => {
      const changed = await list.change((tasks) => update(tasks, input));
      if (!changed.ok) return { output: changed.problem, isError: true, title: input.id };
      return { output: taskLine(changed.result, changed.tasks), title: changed.result.subject };
    },
  });
}

function update(tasks: readonly Task[], { id, status, owner, note }: UpdateInput): TaskChange<Task> {
  const refuse = (problem: string): TaskChange<Task> => ({ ok: false, problem });
  const task = tasks.find((each) => each.id === id);
  if (task === undefined) return refuse(`No task ${id}. List tasks with task_list.`);
  if (owner !== undefined && task.owner !== undefined && task.owner !== owner) {
    return refuse(`${id} belongs to ${task.owner}; take another one.`);
  }
  const blockers = openBlockers(task, tasks);
  if (status === "in_progress" && blockers.length > 0) return refuse(`${id} waits for ${blockers.join(", ")}.`);
  const changed: Task = {
    ...task,
    ...(status !== undefined && { status }),
    ...(owner !== undefined && { owner }),
    notes: note === undefined ? task.notes : [...task.notes, note],
  };
  return { ok: true, tasks: tasks.map((each) => (each === task ? changed : each)), result: changed };
}

function openBlockers(task: Task, tasks: readonly Task[]): readonly string[] {
  const isOpen = (id: string) =>
    tasks.some((each) => each.id === id && each.status !== "done" && each.status !== "cancelled");
  return task.blockedBy.filter(isOpen);
}

function taskLine(task: Task, tasks: readonly Task[]): string {
  const blockers = openBlockers(task, tasks);
  const blocked = blockers.length === 0 ? "" : `, waits for ${blockers.join(", ")}`;
  return `${task.id} ${task.status}${task.owner === undefined ? "" : ` (${task.owner})`}${blocked}: ${task.subject}`;
}

/** Short enough to be typed, and never given twice in one list. */
function nextId(tasks: readonly Task[]): string {
  const last = Math.max(0, ...tasks.map(({ id }) => Number(id.slice(1)) || 0));
  return `t${last + 1}`;
}
