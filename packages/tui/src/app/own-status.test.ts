/** Proves when the user's own command prints the status line: in a trusted project, once for what changed, and never after the end. */
import type { Client } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stateWith } from "../../test/status-state.ts";
import type { ClientState } from "../state/client-state.ts";
import { createOwnStatus } from "./own-status.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open({ isTrusted = true, print = (count: number): string | undefined => `line ${count}` } = {}) {
  const inputs: { readonly [name: string]: unknown }[] = [];
  let state: ClientState = stateWith();
  let drawings = 0;
  // Only the one query that is asked for.
  const client = { ask: async () => ({ ok: true, value: { isTrusted } }) } as unknown as Client;
  const status = createOwnStatus({
    ...{ client, command: "my-line", state: () => state },
    async run(_, input) {
      inputs.push(JSON.parse(input));
      return print(inputs.length);
    },
    onChange() {
      drawings += 1;
    },
  });
  return {
    ...{ status, inputs },
    drawings: () => drawings,
    change(next: Partial<ClientState>) {
      state = { ...state, ...next };
      status.update();
    },
    settle: () => vi.advanceTimersByTimeAsync(300),
  };
}

test("changes that come together are told once, as JSON, and the line is drawn", async () => {
  const { status, inputs, drawings, change, settle } = open();
  change({ effort: "low" });
  change({ effort: "high" });
  expect(inputs).toEqual([]);
  await settle();
  expect(inputs).toEqual([
    expect.objectContaining({ model: "anthropic/opus", mode: "plan", branch: "main", usd: 0.0421, effort: "high" }),
  ]);
  expect([status.text(), drawings()]).toEqual(["line 1", 1]);
});

test("what changes nothing that it is told runs nothing, and a line that stays is not drawn again", async () => {
  const { status, inputs, drawings, change, settle } = open({ print: () => "the same" });
  change({});
  await settle();
  change({ isFocused: false });
  await settle();
  expect(inputs).toHaveLength(1);
  change({ effort: "high" });
  await settle();
  expect([inputs.length, drawings(), status.text()]).toEqual([2, 1, "the same"]);
});

test("a command that fails leaves the line that stood there", async () => {
  const { status, change, settle } = open({ print: (count) => (count === 1 ? "the first" : undefined) });
  change({});
  await settle();
  change({ effort: "high" });
  await settle();
  expect(status.text()).toBe("the first");
});

test("nothing runs in a project that is not trusted, before the engine is up, or after the end", async () => {
  const untrusted = open({ isTrusted: false });
  untrusted.change({});
  await untrusted.settle();
  const early = open();
  early.change({ connection: "starting" });
  await early.settle();
  const closed = open();
  closed.change({});
  closed.status.close();
  await closed.settle();
  expect([untrusted, early, closed].map(({ inputs, status }) => [inputs, status.text()])).toEqual(
    Array(3).fill([[], undefined]),
  );
});
