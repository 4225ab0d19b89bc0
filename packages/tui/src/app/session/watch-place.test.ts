/** Proves when the repository and the window are asked for, and that late answers do no harm. */
import { type Client, FailureError, type ViewEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import { session, stateWith } from "../../../test/status-state.ts";
import type { ClientState } from "../../state/client-state.ts";
import { createStateStore } from "../../state/state-store.ts";
import { createPlaceWatch } from "./watch-place.ts";

const mark = (index: string, worktree: string) => ({ path: `${index}${worktree}`, index, worktree });
const vcs = {
  branch: "topic",
  files: [mark("M", " "), mark("M", "M"), mark(" ", "M"), mark(".", "D"), mark("?", "?"), mark("A", "")],
};
const contextOf = (sessionId = "") => ({ tokens: sessionId.length, windowTokens: 9, compactAt: 9 });
const tasks = [{ sessionId: "ses_1", taskId: "t", command: "x", status: "running" }];

const servers = [{ name: "files", state: "pending" }];

function setUp() {
  const { context: _, repository: __, ...bare } = stateWith();
  const store = createStateStore<ClientState>(bare);
  const asked: string[] = [];
  let held: PromiseWithResolvers<void> | undefined;
  let broken: FailureError | undefined;
  const answer = async ({ type, sessionId }: { readonly type: string; readonly sessionId?: string }) => {
    asked.push(type);
    const context = contextOf(sessionId);
    await held?.promise;
    if (broken !== undefined) throw broken;
    const values: { readonly [type: string]: unknown } = {
      ...{ "vcs.read": vcs, "context.inspect": context, "task.list": { tasks }, "mcp.list": { servers } },
    };
    return { ok: true, value: values[type] };
  };
  // Nothing else of a client is used here.
  const client = { ask: answer, send: answer } as unknown as Client;
  return {
    ...{ store, asked, watch: createPlaceWatch(client, store) },
    hold: () => {
      held = Promise.withResolvers<void>();
    },
    release: () => held?.resolve(),
    breakDown: () => {
      broken = new FailureError({ code: "connection_error", message: "Gone.", retryable: false });
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("what is asked for is in the state", async () => {
  const { watch, store } = setUp();
  watch.refresh();
  await settled();
  const { repository, context: window, tasks: running } = store.get();
  expect([repository, window, running]).toEqual([
    { branch: "topic", staged: 3, changed: 3, untracked: 1 },
    contextOf("ses_1"),
    tasks,
  ]);
});

test("servers are known from the list and from events", async () => {
  const { watch, store } = setUp();
  store.update((state) => ({ ...state, ...(state.session && { session: { ...state.session, id: "ses_2" } }) }));
  await settled();
  expect(store.get().servers).toEqual([{ kind: "mcp", name: "files", state: "pending" }]);
  watch.onEvent({ type: "mcp.status", server: "files", state: "connected" });
  watch.onEvent({ type: "lsp.updated", server: "typescript", state: "running" });
  const known = store.get().servers;
  expect(known).toEqual([
    { kind: "mcp", name: "files", state: "connected" },
    { kind: "lsp", name: "typescript", state: "running" },
  ]);
  // Whoever shows the list of servers asks again for another list.
  watch.onEvent({ type: "mcp.tools.changed", server: "files", what: "tools", changed: [] });
  expect(store.get().servers).not.toBe(known);
});

test("many wishes at once are two questions", async () => {
  const { watch, asked, hold, release } = setUp();
  hold();
  for (let count = 0; count < 5; count += 1) watch.refresh();
  release();
  await settled();
  expect(asked.filter((type) => type === "vcs.read").length).toBe(2);
});

test.each<[ViewEvent, boolean]>([
  [{ type: "session.idle", runId: "run", reason: "completed" }, true],
  [{ type: "session.error", runId: "run" }, true],
  [{ type: "task.ended", id: "t", status: "done" }, true],
  [{ type: "todo.updated", todos: [] }, false],
  [{ type: "message.part.delta", messageId: "m", partId: "p", field: "text", delta: "x" }, false],
])("%j asks: %s", async (event, isAsking) => {
  const { watch, asked } = setUp();
  watch.onEvent(event);
  await settled();
  expect(asked.includes("vcs.read")).toBe(isAsking);
});

test("another session is asked about, and answers about the one before are left aside", async () => {
  const { watch, store, hold, release } = setUp();
  const seen: unknown[] = [];
  store.subscribe(
    (state) => state.context,
    (context) => seen.push(context),
  );
  hold();
  watch.refresh();
  store.update((state) => ({ ...state, session: { ...session, id: "ses_other" } }));
  release();
  await settled();
  expect(seen).toEqual([contextOf("ses_other")]);
});

test("an engine that is gone is not its business, and it asks again", async () => {
  const { watch, asked, breakDown } = setUp();
  breakDown();
  watch.refresh();
  await settled();
  watch.refresh();
  await settled();
  expect(asked.filter((type) => type === "vcs.read").length).toBe(2);
});
