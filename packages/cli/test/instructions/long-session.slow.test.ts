/** Instruction files over a session: deeper files, rules and includes that change, appear and go, after a summary and on resume. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { converse, done, listed, oddWordsOf, put, read, textsOf, wholeOf } from "./instruction-bench.ts";

let bench: Workbench;
afterEach(() => bench.close());

/** Turns one after the other; a function is carried out when its turn comes. */
async function open(turns: readonly (MockTurn | (() => MockTurn))[]): Promise<void> {
  bench = await openWorkbench((_, index) => {
    const turn = turns[index] ?? done;
    return typeof turn === "function" ? turn() : turn;
  });
}

const isPrefix = (earlier: number, later: number) =>
  expect(textsOf(bench.model, later).slice(0, textsOf(bench.model, earlier).length)).toEqual(
    textsOf(bench.model, earlier),
  );

test("an include, a rule and a deeper file that change are told as deltas, and what was sent stays", async () => {
  await open([
    read("deep/a.ts"),
    () => {
      put(bench.project, "docs/style.md", "odd-style-2");
      put(bench.project, "deep/AGENTS.md", "odd-deep-2");
      put(bench.project, ".kedge/rules/ts.md", '---\npaths: "**/*.ts"\n---\nodd-rule-2');
      put(bench.project, "CLAUDE.md", "odd-new");
      return done;
    },
    done,
  ]);
  put(bench.project, "AGENTS.md", "odd-root @docs/style.md");
  put(bench.project, "docs/style.md", "odd-style-1");
  put(bench.project, "deep/AGENTS.md", "odd-deep-1");
  put(bench.project, "deep/a.ts", "a");
  put(bench.project, ".kedge/rules/ts.md", '---\npaths: "**/*.ts"\n---\nodd-rule-1');
  await converse(bench, ["one", "two"]);
  expect(oddWordsOf(bench.model, 0)).toEqual(["odd-style-1", "odd-root"]);
  expect(oddWordsOf(bench.model, 1).slice(2).toSorted()).toEqual(["odd-deep-1", "odd-rule-1"]);
  isPrefix(0, 1);
  isPrefix(1, 2);
  expect(oddWordsOf(bench.model, 2).slice(4).toSorted()).toEqual([
    "odd-deep-2",
    "odd-new",
    "odd-rule-2",
    "odd-style-2",
  ]);
});

test("after a summary the head is made of the files as they are, and deeper ones join again when needed", async () => {
  const long: MockTurn = { text: "Done. ".repeat(9_000) };
  await open([
    read("deep/a.txt"),
    long,
    long,
    () => {
      put(bench.project, "AGENTS.md", "odd-root-2");
      return { text: "## Goal\nTo go on." };
    },
    read("deep/a.txt"),
    done,
  ]);
  put(bench.project, "AGENTS.md", "odd-root-1");
  put(bench.project, "deep/AGENTS.md", "odd-deep");
  put(bench.project, "deep/a.txt", "a");
  const ran = await bench.run(["--console", "--trust"], { input: "one\ntwo\n/compact\nthree\n/exit\n" });
  expect(bench.model.requests.length, ran.stdout.slice(-1000)).toBe(6);
  expect(oddWordsOf(bench.model, 4).filter((word) => word.startsWith("odd-root"))).toEqual(["odd-root-2"]);
  expect(wholeOf(bench.model, 5).split("odd-deep").length - 1).toBe(1);
});

test("a resumed session has the files of now ahead, and what joined before joins once", async () => {
  await open([read("deep/a.txt"), done, read("deep/a.txt"), done]);
  put(bench.project, "AGENTS.md", "odd-root-1");
  put(bench.project, "deep/AGENTS.md", "odd-deep-1");
  put(bench.project, "deep/a.txt", "a");
  put(bench.project, ".kedge/RULES.md", "odd-sticky");
  await bench.run(["-p", "one", "--trust"]);
  put(bench.project, "AGENTS.md", "odd-root-2");
  expect(await bench.run(["-p", "two", "--continue"])).toMatchObject({ code: 0, stderr: "" });
  const words = oddWordsOf(bench.model, 3);
  expect(words.filter((word) => word.startsWith("odd-root"))).toEqual(["odd-root-2"]);
  expect(words.filter((word) => word === "odd-deep-1")).toHaveLength(1);
  expect(textsOf(bench.model, 2).at(-1)).toContain("odd-sticky");
});

test("an edit of AGENTS.md by the user needs no new trust, headless", async () => {
  await open([done, done, done]);
  put(bench.project, "AGENTS.md", "odd-one");
  await bench.run(["-p", "hi", "--trust"]);
  put(bench.project, "AGENTS.md", "odd-two");
  put(bench.project, "CLAUDE.md", "odd-three");
  expect(await bench.run(["-p", "hi"])).toMatchObject({ stderr: "" });
  expect(oddWordsOf(bench.model, 1)).toEqual(["odd-two", "odd-three"]);
  // What can run is another matter.
  put(bench.project, ".mcp.json", "{}");
  expect((await bench.run(["-p", "hi"])).stderr).toContain(
    "This project's instruction files are not loaded: its files changed since you trusted it",
  );
  expect(oddWordsOf(bench.model, 2)).toEqual([]);
});

test("the sixth include, characters of several bytes at the cut, and a circle", async () => {
  await open([done]);
  for (let depth = 1; depth <= 7; depth += 1)
    put(bench.project, `d${depth}.md`, `odd-${depth} @d${depth + 1}.md @d${depth}.md`);
  put(bench.project, "AGENTS.md", "odd-0 @d1.md");
  put(bench.project, "KEDGE.md", `${"é".repeat(39_999)}😀odd-behind`);
  await bench.run(["-p", "hi", "--trust"]);
  expect(oddWordsOf(bench.model, 0)).toEqual(["odd-5", "odd-4", "odd-3", "odd-2", "odd-1", "odd-0"]);
  expect(wholeOf(bench.model, 0)).toContain("@d6.md is not included: more than 5 includes deep");
  expect(bench.model.requests[0]?.raw.toString("utf8")).not.toMatch(/\\ud83d|\ufffd/i);
  const row = (await listed(bench)).find(({ path }) => path.endsWith("KEDGE.md"));
  expect(row?.notes[0]).toMatch(/^truncated, 1\d characters not shown$/);
});

test("of 40,001 characters the last is cut, and the model and the list are told", async () => {
  await open([done]);
  const text = `odd-long ${"x".repeat(39_990)}yz`;
  put(bench.project, "AGENTS.md", text);
  await bench.run(["-p", "hi", "--trust"]);
  expect(text).toHaveLength(40_001);
  expect(wholeOf(bench.model, 0)).toContain(`${text.slice(0, -1)}\n[AGENTS.md: truncated, 1 character not shown]`);
  expect(wholeOf(bench.model, 0)).not.toContain(text);
  const [row] = await listed(bench);
  expect([row?.status, row?.notes[0]]).toEqual(["loaded", "truncated, 1 character not shown"]);
});

test("without files and memory the first request is the same as with all of it switched off", async () => {
  await open([done, done, done, done]);
  const sizes = async (...words: readonly string[]) => {
    await bench.run(["-p", "hi", ...words]);
    return bench.model.requests.at(-1)?.raw.length;
  };
  const plain = await sizes();
  expect(await sizes("--no-memory")).toBe(plain);
  // With trust and nothing to load, too.
  expect(await sizes("--trust")).toBe(plain);
  put(bench.project, "src/a.ts", "a");
  expect(await sizes()).toBe(plain);
  rmSync(join(bench.project, "src"), { recursive: true });
});
