/** Proves when a prompt may be sent: not before the session it belongs to is open, and then what waited is sent. */
import { expect, test } from "vitest";
import type { ClientState } from "../../state/client-state.ts";
import { createStateStore } from "../../state/state-store.ts";
import type { EngineUp } from "../tui-parts.ts";
import { type BeginParts, beginSession } from "./begin-session.ts";

function open(mirror: { readonly open: () => Promise<void> }) {
  const store = createStateStore({ connection: "starting", messages: [{}] } as unknown as ClientState);
  const done: string[] = [];
  const begin = {
    ...{ store, mirror, parts: { prompt: "" }, prompt: {}, desk: {}, client: {} },
    commands: { sendWaiting: () => done.push("sent"), welcome: () => done.push("welcome") },
    notice: () => undefined,
    refreshPlace: () => undefined,
  };
  const up = { directory: "/shop", runOptions: {}, attachments: [], session: { sessionId: "ses_1" } };
  return { store, done, begin: () => beginSession(up as unknown as EngineUp, begin as unknown as BeginParts) };
}

test("a prompt waits until its session is open, then it is sent", async () => {
  const gate = Promise.withResolvers<void>();
  const { store, done, begin } = open({ open: () => gate.promise });
  const begun = begin();
  expect([store.get().connection, store.get().directory, done]).toEqual(["starting", "/shop", []]);
  gate.resolve();
  await begun;
  expect([store.get().connection, done]).toEqual(["ready", ["sent"]]);
});

test("a session that cannot be opened does not leave the screen waiting", async () => {
  const { store, done, begin } = open({ open: () => Promise.reject(new Error("gone")) });
  await expect(begin()).rejects.toThrow("gone");
  expect([store.get().connection, done]).toEqual(["ready", []]);
});
