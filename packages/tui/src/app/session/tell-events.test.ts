/** Proves what is said between messages: what becomes of prompts that wait, how runs end, and who is notified. */
import type { Failure, ViewEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { ClientState, Notice } from "../../state/client-state.ts";
import { createStateStore } from "../../state/state-store.ts";
import type { NotificationTrigger } from "../../status/notification.ts";
import { createEventTelling } from "./tell-events.ts";

type Said = readonly [tone: Notice["tone"], text: string];

function open(messages: readonly object[] = []) {
  const idle = { kind: "idle" };
  const store = createStateStore({ messages, activity: idle } as unknown as ClientState);
  const said: Said[] = [];
  const notified: NotificationTrigger[] = [];
  let time = 0;
  const { tell } = createEventTelling({
    store,
    now: () => time,
    notice: (tone, text) => said.push([tone, text]),
    notify: (trigger) => notified.push(trigger),
    editKey: "Alt+Up",
  });
  const setActivity = (kind: string) =>
    store.update((before) => ({ ...before, activity: { kind } }) as unknown as ClientState);
  return {
    said,
    notified,
    tell: (event: object) => tell(event as ViewEvent),
    /** A run that takes this long. */
    run(milliseconds: number) {
      setActivity("responding");
      time += milliseconds;
      setActivity("idle");
    },
  };
}

const aborted = { type: "session.idle", runId: "run_1", reason: "aborted" };
const queued = { id: "q", role: "user", isQueued: true };

test("an interrupt says what becomes of the prompts that wait", () => {
  const none = open([{ id: "a", role: "user" }]);
  none.tell(aborted);
  expect(none.said).toEqual([["info", "Interrupted."]]);
  const one = open([{ id: "a", role: "user" }, queued]);
  one.tell(aborted);
  expect(one.said).toEqual([
    ["info", "Interrupted."],
    ["info", "1 queued prompt is kept and will be sent with your next prompt. Press Alt+Up to edit it."],
  ]);
  const two = open([queued, { ...queued, id: "r" }]);
  two.tell(aborted);
  expect(two.said.at(-1)).toEqual([
    "info",
    "2 queued prompts are kept and will be sent with your next prompt. Press Alt+Up to edit the last one.",
  ]);
});

test("a rejection of the user is not called an interrupt, until the next run", () => {
  const { tell, run, said } = open();
  tell({ type: "permission.replied", reply: "reject", source: "user" });
  tell(aborted);
  run(1);
  tell(aborted);
  expect(said.map(([, text]) => text)).toEqual(["Rejected. Tell the model what to do instead.", "Interrupted."]);
});

test("only a long run is announced, a question and an error always", () => {
  const { tell, run, notified } = open();
  const finished = { ...aborted, reason: "completed" };
  run(1_000);
  tell(finished);
  expect(notified).toEqual([]);
  run(60_000);
  tell(finished);
  tell({ type: "question.asked" });
  tell({ type: "task.ended" });
  tell({ type: "session.error", reason: "error" });
  expect(notified).toEqual(["finished", "permission", "task", "error"]);
});

test("an error has its next step, and a budget its share", () => {
  const { tell, said } = open();
  const failure: Failure = { code: "rate_limit", message: "Too fast.", recovery: "Wait a minute.", retryable: true };
  tell({ type: "session.error", reason: "error", failure });
  tell({ type: "session.error", reason: "error_max_turns" });
  tell({ type: "session.idle", runId: "run_1", reason: "stopped_by_hook" });
  tell({ type: "session.status", budget: { percent: 80, limit: "day" } });
  expect(said).toEqual([
    ["error", "Too fast. Wait a minute."],
    ["error", "Turn limit reached. Send a prompt to continue."],
    ["warning", "Stopped by a hook. /hooks lists the hooks of this session."],
    ["warning", "80% of the day limit used."],
  ]);
});
