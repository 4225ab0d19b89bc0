/** What the dialogs that tell ask the engine for, and what they show of what comes, late or not at all. */
import { type Client, type Failure, FailureError, noUsage, type UsageSummary } from "@kedge/protocol";
import { expect, test } from "vitest";
import { noon, providers, session, summary, theme } from "../../../test/picker-samples.ts";
import { insideOf } from "../../../test/press.ts";
import { createDialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { Dialog } from "../../screen/view.ts";
import type { DialogParts } from "./dialog-parts.ts";
import { openStats, openStatus } from "./info-dialogs.ts";

type Answering = (query: { readonly type: string }) => Promise<unknown>;

const refused: Failure = { code: "auth_error", message: "This token may not do that.", retryable: false };

function bench(answering: Answering) {
  const asked: unknown[] = [];
  let opened: Dialog | undefined;
  const redrawn: (() => void)[] = [];
  const client: Pick<Client, "ask" | "sessions"> = {
    // What the test scripts is what the type asks for; a slip shows in what is drawn.
    ask: ((query: { readonly type: string }) => {
      asked.push(query);
      return answering(query);
    }) as Client["ask"],
    async sessions(filter) {
      asked.push(filter);
      return [summary("a", { createdAt: noon }), summary("b", { createdAt: noon })];
    },
  };
  const parts = {
    client,
    dialogs: {
      ...createDialogStack(),
      open(dialog: Dialog) {
        opened = dialog;
      },
    },
    look: { theme },
    parts: { now: () => noon, version: "0.1.0" },
    state: () => ({ connection: "ready", session }),
    settingsWarnings: () => [],
    redraw: () => redrawn.shift()?.(),
  };
  return {
    // The dialogs that are tested here look at nothing else of it.
    parts: parts as unknown as DialogParts,
    asked,
    /** Resolves with the next answer that asks for a drawing. */
    redraw: () => new Promise<void>((resolve) => void redrawn.push(resolve)),
    lines: () => (opened === undefined ? [] : insideOf(opened, { width: 76, height: 60 })),
  };
}

const used: UsageSummary = {
  ...{ sessions: 3, steps: 4, usage: noUsage, cost: { usd: 2, estimated: false }, cacheHitShare: 0 },
  ...{ cacheMisses: { count: 0, tokens: 0, usd: 0 }, beside: [], models: [], projects: [], tools: [], days: [] },
  unreadable: [],
};

test("statistics are those of thirty days", async () => {
  const { parts, asked, redraw, lines } = bench(async () => ({ ok: true, value: used }));
  const drawn = redraw();
  openStats(parts);
  expect(lines()[0]).toBe("Collecting usage…");
  await drawn;
  expect(lines()[0]).toMatch(/^3 sessions, 4 steps in 30 days +\$2.00$/);
  expect(asked).toEqual([{ type: "usage.read", days: 30 }]);
});

test("who may not see the usage sees the sessions", async () => {
  const { parts, asked, redraw, lines } = bench(async () => ({ ok: false, failure: refused }));
  const drawn = redraw();
  openStats(parts);
  await drawn;
  expect(lines()[0]).toBe("2 sessions, 2 started in the last 30 days");
  expect(asked).toEqual([{ type: "usage.read", days: 30 }, { limit: 1_000 }]);
});

test("an engine that is gone is told", async () => {
  const { parts, redraw, lines } = bench(async () => {
    throw new FailureError({ code: "connection_error", message: "The engine is gone.", retryable: false });
  });
  const drawn = redraw();
  openStats(parts);
  await drawn;
  expect(lines()[0]).toBe("The engine is gone.");
});

test("the status shows where keys come from at once, and what the doctor found when it is back", async () => {
  const doctor = Promise.withResolvers<unknown>();
  const { parts, redraw, lines } = bench(async ({ type }) => {
    if (type === "doctor.run") return doctor.promise;
    return type === "provider.list" ? { ok: true, value: providers } : { ok: false, failure: refused };
  });
  const others = [redraw(), redraw(), redraw(), redraw()];
  openStatus(parts);
  await Promise.all(others);
  expect(lines()).toContain("! billing     Anthropic is billed to environment variable ANTHROPIC_API_KEY");
  expect(lines()).not.toContain("Health");
  const drawn = redraw();
  const found = { name: "git", state: "error", sentence: "it does not start", next: "Install git." };
  doctor.resolve({ ok: true, value: { checks: [{ name: "node", state: "ok", sentence: "v24" }, found] } });
  await drawn;
  const shown = lines();
  expect(shown.slice(shown.indexOf("Health"), shown.indexOf("Health") + 2)).toEqual([
    "Health",
    "! git         it does not start. Install git.",
  ]);
});
