import { expect, test } from "vitest";
import { createHistorySearcher, createHistoryWalk } from "./history.ts";

const historyOf = (...entries: readonly string[]) => ({ entries: () => entries, add: () => {} });

test("walks to the oldest entry and back to what was unsent", () => {
  const walk = createHistoryWalk(historyOf("one", "two"));
  expect(walk.step(1, "draft")).toBe(undefined);
  expect(walk.step(-1, "draft")).toEqual({ kind: "entry", text: "two" });
  expect(walk.step(-1, "two")).toEqual({ kind: "entry", text: "one" });
  expect(walk.step(-1, "one")).toBe(undefined);
  expect(walk.step(1, "one")).toEqual({ kind: "entry", text: "two" });
  expect(walk.step(1, "two")).toEqual({ kind: "unsent", text: "draft" });
  expect(walk.step(1, "draft")).toBe(undefined);
});

test("what was changed begins at the newest entry again", () => {
  const walk = createHistoryWalk(historyOf("one", "two"));
  walk.step(-1, "");
  walk.step(-1, "two");
  walk.leave();
  expect(walk.step(-1, "one more")).toEqual({ kind: "entry", text: "two" });
  expect(walk.step(1, "two")).toEqual({ kind: "unsent", text: "one more" });
});

test("a search finds the newest match first, then older ones, and each text once", () => {
  const search = createHistorySearcher(historyOf("fix Parser", "add tests", "fix lexer", "fix lexer"));
  expect(search.state()).toEqual({ query: "", match: undefined });
  search.type("fix");
  expect(search.state()).toEqual({ query: "fix", match: { text: "fix lexer", at: 0 } });
  search.step(-1);
  expect(search.state().match).toEqual({ text: "fix Parser", at: 0 });
  search.step(-1);
  expect(search.state().match).toEqual({ text: "fix Parser", at: 0 });
  search.step(1);
  expect(search.state().match).toEqual({ text: "fix lexer", at: 0 });
});

test("case matters only when the query has upper case, and erasing finds again", () => {
  const search = createHistorySearcher(historyOf("fix Parser", "fix parser"));
  search.type("P");
  expect(search.state().match).toEqual({ text: "fix Parser", at: 4 });
  search.type("x");
  expect(search.state()).toEqual({ query: "Px", match: undefined });
  search.erase();
  search.erase();
  search.type("PARSER".toLowerCase());
  expect(search.state().match).toEqual({ text: "fix parser", at: 4 });
});
