/** What a run has to tell with its next step: files that others changed, jobs that ended, a forgotten list, a diagnosis. */
import type { ContextBlock, ContextSource, Job, Jobs, SessionState } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { RunConduct } from "../../conduct.ts";
import { prompt, reminderText } from "../../prompt-texts.ts";

const jobEnded = prompt(textBeside(import.meta.url, "../../prompts/job-ended.md"));
const jobLost = prompt(textBeside(import.meta.url, "../../prompts/job-lost.md"));
const todoList = prompt(textBeside(import.meta.url, "../../prompts/todo-reminder.md"));

/** So many turns without a change of an open list bring a reminder, and so many reminders are enough. */
const todoTurns = 10;
const todoRemindersMax = 3;

export type RunSourceParts = {
  readonly jobs: Pick<Jobs, "takeEnded">;
  readonly conduct: Pick<RunConduct, "takeDiagnosis">;
  /** What changed while nobody had the session open. */
  readonly takeNews: () => string | undefined;
};

export function createRunSources({ jobs, conduct, takeNews }: RunSourceParts): readonly ContextSource[] {
  return [
    reminder("changed files", () => blockOf("workspace", takeNews())),
    reminder("jobs", () => jobs.takeEnded().map((job) => ({ text: jobText(job), origin: job.jobId }))),
    reminder("todo list", forgottenTodos),
    reminder("diagnosis", () => blockOf("pressure", conduct.takeDiagnosis())),
  ];
}

const none: readonly ContextBlock[] = [];

function reminder(name: string, read: (state: Readonly<SessionState>) => readonly ContextBlock[]): ContextSource {
  return { name, kind: "reminder", place: "turn", read: ({ state }) => read(state) };
}

function blockOf(origin: string, text: string | undefined): readonly ContextBlock[] {
  return text === undefined ? none : [{ text, origin }];
}

function forgottenTodos({ todos, stepsSinceTodos }: Readonly<SessionState>): readonly ContextBlock[] {
  if (todos.length === 0 || stepsSinceTodos === 0 || stepsSinceTodos % todoTurns !== 0) return none;
  if (stepsSinceTodos > todoTurns * todoRemindersMax) return none;
  const open = todos.filter(({ status }) => status === "pending" || status === "in_progress").length;
  const slots = { open: String(open), turns: String(stepsSinceTodos) };
  return open === 0 ? none : [{ text: fillSlots(todoList, slots), origin: "todo_write" }];
}

/** What the model reads when a job has ended. */
export function jobReminder(job: Job): string {
  return reminderText(jobText(job));
}

function jobText({ jobId, status, exitCode, command, artifact, isLost }: Job): string {
  if (isLost) return fillSlots(jobLost, { jobId, command });
  const how = exitCode === undefined ? status : `${status}, exit code ${exitCode}`;
  return fillSlots(jobEnded, { jobId, how, command, artifact: String(artifact) });
}
