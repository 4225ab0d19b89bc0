/** Proves what the last line of the screen says, and what it does without where there is no room. */
import type { SessionView } from "@kedge/protocol";
import { expect, test } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { session, stateWith } from "../../test/status-state.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { ClientState } from "../state/client-state.ts";
import type { ForegroundToken } from "../theme/theme.ts";
import { type StatusLook, statusLine, statusSegments, statusSegmentsShown } from "./status-line.ts";

function lineOf(more: Partial<StatusLook> = {}): string {
  return statusLine({
    ...{ state: stateWith(), theme: bareTheme(), width: 160, segments: statusSegmentsShown, userDirectory: "/home/me" },
    ...more,
  });
}

test("everything there is to say", () => {
  const state = stateWith({
    effort: "high",
    tasks: [
      { sessionId: "ses_1", taskId: "t1", command: "npm test", status: "running" },
      { sessionId: "ses_1", taskId: "t2", command: "ls", status: "ended" },
    ],
  });
  expect(lineOf({ state, vimMode: "insert", segments: statusSegments })).toBe(
    "anthropic/opus high · plan · ~/work/app · ⎇ main +1 *2 ?3 · 25 % of 200k · $0.0421 · INSERT · 1 task · Mend the build",
  );
});

test("running agents are counted, and those that wait for an answer", () => {
  const agents = [{ state: "running" }, { state: "running", isAsking: true }, { state: "parked" }];
  const counted = (count: number) =>
    lineOf({ state: stateWith({ agents: agents.slice(0, count) as never }), segments: ["agents"] });
  expect([counted(0), counted(1), counted(3)]).toEqual(["", "1 agent", "2 agents, 1 waiting for you"]);
});

test("servers that do not work are counted, and none that does", () => {
  const names = ["connected", "running", "pending", "failed", "needs-auth", "crashed", "needs-auth"];
  const servers = names.map((state, at) => ({ kind: at % 2 === 0 ? "mcp" : "lsp", name: `s${at}`, state }) as const);
  const counted = (count: number) =>
    lineOf({ state: stateWith({ servers: servers.slice(0, count) }), segments: ["servers"] });
  expect([counted(3), counted(5), counted(7)]).toEqual([
    "",
    "1 server failed, 1 server needs sign-in",
    "2 servers failed, 2 servers need sign-in",
  ]);
});

test("segments stand in the order that is wished, and only those", () => {
  expect(lineOf({ segments: ["cost", "mode", "model"] })).toBe("$0.0421 · plan · anthropic/opus");
  expect(lineOf({ segments: [] })).toBe("");
});

test("a start without a session, a repository and a window", () => {
  const { session: _, context: __, repository: ___, ...empty } = stateWith({ connection: "starting" });
  expect(lineOf({ state: empty })).toBe("starting · ~/work/app");
  expect(lineOf({ state: { ...empty, connection: "ready" } })).toBe("no model · ~/work/app");
});

test.each([
  [40, "anthropic/opus high · plan"],
  [60, "anthropic/opus high · plan · 25 % of 200k · $0.0421 · NORMAL"],
  [80, "anthropic/opus high · plan · ⎇ main +1 *2 ?3 · 25 % of 200k · $0.0421 · NORMAL"],
  [120, "anthropic/opus high · plan · ~/work/app · ⎇ main +1 *2 ?3 · 25 % of 200k · $0.0421 · NORMAL · Mend the build"],
])("what is left at %d columns", (width, expected) => {
  const line = lineOf({ state: stateWith({ effort: "high" }), width, vimMode: "normal", segments: statusSegments });
  expect(line).toBe(expected);
  expect(visibleWidth(line)).toBeLessThanOrEqual(width);
});

test.each<[number, string, ForegroundToken]>([
  [127_000, "64 % of 200k", "statusLineContext"],
  [128_000, "64 % of 200k, /compact", "warning"],
  [151_000, "76 % of 200k, /compact", "warning"],
  [152_000, "76 % of 200k, /compact", "error"],
  [170_000, "85 % of 200k, /compact", "error"],
])("a window with %d tokens", (tokens, words, token) => {
  const told: unknown[] = [];
  const fg = (name: ForegroundToken, text: string) => {
    told.push([name, text]);
    return text;
  };
  const theme = { ...bareTheme(), fg };
  const state = stateWith({ context: { tokens, windowTokens: 200_000, compactAt: 160_000 } });
  expect(lineOf({ state, theme, segments: ["context"] })).toBe(words);
  expect(told).toContainEqual([token, words]);
});

test("a cost that is not known for sure says so", () => {
  const state = stateWith({ session: { ...session, cost: { usd: 1.5, estimated: true } } });
  expect(lineOf({ state, segments: ["cost"] })).toBe("$1.50 + unknown");
  const unpriced = stateWith({ session: { ...session, cost: { usd: 0, estimated: true } } });
  expect(lineOf({ state: unpriced, segments: ["cost"] })).toBe("cost unknown");
});

test("paths beside the home directory stay whole", () => {
  const at = (directory: string, userDirectory = "/home/me") =>
    lineOf({ state: stateWith({ directory }), segments: ["path"], userDirectory });
  expect([at("/home/me"), at("/home/me2/x"), at("/srv"), at("/srv", "")]).toEqual(["~", "/home/me2/x", "/srv", "/srv"]);
});

test("names from outside cannot break the line", () => {
  const hostile = "x\u001b]52;c;AAAA\u0007\u001b[2J\r\n名前\u202e\u0000";
  const state = stateWith({
    directory: `/home/me/${hostile}`,
    repository: { branch: hostile, staged: 0, changed: 0, untracked: 0 },
    effort: hostile,
    // A server may say any mode.
    session: { ...session, title: hostile, model: hostile, mode: hostile as SessionView["mode"] },
  });
  for (const width of [1, 10, 40, 80, 120]) {
    const line = lineOf({ state, width, segments: statusSegments });
    expect(visibleWidth(line)).toBeLessThanOrEqual(width);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be gone.
    expect(line.replaceAll("\u001b[0m", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]|52;c|2J/);
  }
  expect(lineOf({ state, segments: ["branch"] })).toBe("⎇ x 名前");
  expect(lineOf({ state, segments: ["model", "mode"] })).toBe("x 名前 x 名前 · x 名前");
});

test.each([undefined, null, 7, "text", [], {}, [null], Number.NaN])(
  "a server that sends %j for everything",
  (wrong) => {
    const bare = { title: wrong, model: wrong, mode: wrong, cost: wrong, todos: wrong };
    const more = { effort: wrong, directory: wrong, context: { tokens: wrong, windowTokens: wrong, compactAt: wrong } };
    const repository = { branch: wrong, staged: wrong, changed: wrong, untracked: wrong };
    // No type allows this; what comes over a wire has none.
    const state = { ...stateWith(), session: { ...session, ...bare }, ...more, repository } as unknown as ClientState;
    const said = typeof wrong === "string";
    const numbered = wrong === 7;
    expect(lineOf({ state, segments: statusSegments })).toBe(
      said ? "text text · text · text · ⎇ text · text" : numbered ? "no model · 100 % of 7, /compact" : "no model",
    );
  },
);

test("the user's own command has the whole line, cleaned and cut", () => {
  expect(lineOf({ own: "mine \u001b[31mred\u001b[0m\nsecond" })).toBe("mine red second");
  expect(visibleWidth(lineOf({ own: "宽".repeat(100), width: 41 }))).toBeLessThanOrEqual(41);
});
