/** Tools of the conformance server that work as tasks. */
import { acceptedContent, inputRequired, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { requireTasks, supportsTasks, type Tasks, type TaskWork } from "../../src/mcp/serve/tasks.ts";
import { type FixtureTool, text, wait } from "./fixture-tool.ts";
import { ask } from "./round-tools.ts";

export function taskTools(tasks: Tasks): readonly FixtureTool[] {
  /** A task where the client knows them, and a call that takes its time otherwise. */
  const either = (work: TaskWork): Pick<FixtureTool, "run"> => ({
    run: (_given, context) =>
      supportsTasks(context)
        ? tasks.start(work)
        : work({ signal: context.mcpReq.signal, ask: () => Promise.resolve({}) }),
  });
  const seconds = { seconds: { type: "number" } } as const;
  return [
    {
      name: "greet",
      description: "Greets",
      properties: { name: { type: "string" } },
      run: ({ name }) => text(`Hello, ${String(name)}!`),
    },
    {
      name: "slow_compute",
      description: "Takes its time",
      properties: seconds,
      run(given, context) {
        const ms = Number(given["seconds"] ?? 0) * 1_000;
        const { run } = either(async ({ signal }) => {
          await wait(ms, signal);
          return text(`Computed for ${ms / 1_000} s.`);
        });
        return run(given, context);
      },
    },
    {
      name: "failing_job",
      description: "Fails after a second, and only as a task",
      run(_given, context) {
        requireTasks(context);
        return tasks.start(async ({ signal }) => {
          await wait(1_000, signal);
          return { ...text("The job failed."), isError: true };
        });
      },
    },
    {
      name: "protocol_error_job",
      description: "Breaks",
      ...either(async () => {
        throw new ProtocolError(ProtocolErrorCode.InternalError, "The job broke.");
      }),
    },
    {
      name: "confirm_delete",
      description: "Asks before it ends",
      properties: { filename: { type: "string" } },
      ...either(async (control) => {
        const answers = await control.ask({ confirm: ask("Delete it?", "confirm", "boolean") });
        return text(acceptedContent({ ...answers }, "confirm") === undefined ? "Kept." : "Deleted.");
      }),
    },
    {
      name: "multi_input",
      description: "Asks two things at once",
      ...either(async (control) => {
        const answers = await control.ask({ first: ask("First?", "value"), second: ask("Second?", "value") });
        return text(JSON.stringify(answers));
      }),
    },
    {
      name: "test_tool_with_task",
      description: "Asks for a name, then works as a task",
      run(_given, context) {
        requireTasks(context);
        const name = acceptedContent(context.mcpReq.inputResponses, "user_name")?.["name"];
        if (typeof name === "string") return tasks.start(async () => text(`Hello, ${name}!`));
        return inputRequired({ inputRequests: { user_name: ask("What is your name?", "name") } });
      },
    },
  ];
}
