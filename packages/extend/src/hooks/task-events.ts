/** Calls that create or complete a task, as the events of their own that hooks know. */
import type { JsonObject, PhasedCall } from "@kedge/protocol";
import type { HookEvent } from "./hook-events.ts";

export type TaskEvent = { readonly name: HookEvent; readonly fields: JsonObject };

export function taskEventOf({ tool, input }: PhasedCall): TaskEvent | undefined {
  if (tool === "task_create") return { name: "TaskCreated", fields: fieldsOf(input) };
  if (tool === "task_update" && input["status"] === "done") {
    return { name: "TaskCompleted", fields: fieldsOf(input) };
  }
  return undefined;
}

function fieldsOf({ id, taskId, subject, title, description }: JsonObject): JsonObject {
  return {
    task_id: id ?? taskId ?? "",
    task_subject: subject ?? title ?? "",
    task_description: description ?? "",
  };
}
