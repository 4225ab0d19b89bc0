/** What kedge itself tells the model with the next step: what changed, what ended, what was forgotten or goes astray. */
import type { Job, Jobs, SessionState } from "@kedge/protocol";
import type { RunConduct } from "./conduct.ts";
import { jobEndedReminder, jobLostReminder, todoReminder } from "./prompt-texts.ts";

/** So many turns without a change of an open list bring a reminder, and so many reminders are enough. */
const todoTurns = 10;
const todoRemindersMax = 3;

export type ReminderSources = {
  readonly jobs: Jobs;
  readonly conduct: RunConduct;
  /** What changed while nobody had the session open. */
  readonly takeNews: () => string | undefined;
};

export function dueReminders(state: SessionState, { jobs, conduct, takeNews }: ReminderSources): readonly string[] {
  const news = takeNews();
  const ended = jobs.takeEnded();
  const forgotten = forgottenTodos(state);
  const diagnosis = conduct.takeDiagnosis();
  if (ended.length === 0 && forgotten === 0 && diagnosis === undefined && news === undefined) return none;
  return [
    ...(news === undefined ? [] : [news]),
    ...ended.map(jobText),
    ...(forgotten === 0 ? [] : [todoReminder(forgotten, state.stepsSinceTodos)]),
    ...(diagnosis === undefined ? [] : [diagnosis]),
  ];
}

const none: readonly string[] = [];

/** How many items are open, when it is time to say so; otherwise 0. */
function forgottenTodos({ todos, stepsSinceTodos }: SessionState): number {
  if (todos.length === 0 || stepsSinceTodos === 0 || stepsSinceTodos % todoTurns !== 0) return 0;
  if (stepsSinceTodos > todoTurns * todoRemindersMax) return 0;
  return todos.filter(({ status }) => status === "pending" || status === "in_progress").length;
}

function jobText({ jobId, status, exitCode, command, artifact, isLost }: Job): string {
  if (isLost) return jobLostReminder({ jobId, command });
  const how = exitCode === undefined ? status : `${status}, exit code ${exitCode}`;
  return jobEndedReminder({ jobId, how, command, artifact: String(artifact) });
}
