/** Which paths are offered for what was typed, in which order, and what the engine is asked for them. */
import { FailureError } from "@kedge/protocol";
import { expect, test } from "vitest";
import { type BenchParts, openBench, Refusal } from "../../test/command-bench.ts";
import { createBriefMemory } from "./brief-memory.ts";
import { completePath } from "./path-completion.ts";

function openPaths(answers: BenchParts["answers"], directory = "/work") {
  const { context, doings } = openBench({ answers: { "project.read": { root: "/work", directory }, ...answers } });
  const remember = createBriefMemory(() => 0);
  const { signal } = new AbortController();
  return { doings, complete: (text: string) => completePath(text, { client: context.client, remember, signal }) };
}

const found = (...paths: readonly string[]) => ({ "file.find": { paths, isCut: false } });
const readPlace = ["ask", { type: "project.read" }];
const find = (text: string, limit = 50) => ["ask", { type: "file.find", text, limit }];
const list = (path: string) => ["ask", { type: "file.list", path }];

test("paths are ranked, with the directories that match", async () => {
  const paths = openPaths(found("remain.md", "src/main.ts", "main/index.ts", "lib/domain/a.ts"));
  expect(await paths.complete("main")).toEqual([
    "main/",
    "main/index.ts",
    "src/main.ts",
    "lib/domain/",
    "remain.md",
    "lib/domain/a.ts",
  ]);
});

test("names of other scripts and with spaces are found", async () => {
  expect(await openPaths(found("docs/日本語 メモ.md", "docs/cafe\u0301.md")).complete("メモ")).toEqual([
    "docs/日本語 メモ.md",
  ]);
});

test("letters in their order find a path where no part of it is spelt so", async () => {
  const { context, doings } = openBench();
  const { ask } = context.client;
  const paths = new Map([["s m a i n", ["src/main.ts", "main/is.ts"]]]);
  const client = {
    ...context.client,
    // Answers every query with a value that has the fields of both that are asked here.
    ask: (async (query: { readonly type: "file.find"; readonly text: string }) => {
      await ask(query);
      return { ok: true, value: { root: "/work", directory: "/work", paths: paths.get(query.text) ?? [] } };
    }) as unknown as typeof ask,
  };
  const { signal } = new AbortController();
  expect(await completePath("smain", { client, remember: createBriefMemory(() => 0), signal })).toEqual([
    "src/main.ts",
  ]);
  expect(doings).toEqual([readPlace, find("smain"), find("s m a i n", 500)]);
});

test("a directory is listed with its directories first and what is ignored last", async () => {
  const entries = [
    { path: "src/a.ts", kind: "file" },
    { path: "src/build", kind: "directory", isIgnored: true },
    { path: "src/lib", kind: "directory" },
    { path: "src/z.log", kind: "file", isIgnored: true },
  ];
  const paths = openPaths({ "file.list": { entries, isCut: false } });
  expect(await paths.complete("src/")).toEqual(["src/lib/", "src/a.ts", "src/build/", "src/z.log"]);
  await paths.complete("");
  await paths.complete("/work/src/");
  expect(paths.doings).toEqual([readPlace, list("src/"), list("."), list("/work/src/")]);
});

test("paths are written from the directory one works in", async () => {
  const listed = { entries: [{ path: "app/web/src", kind: "directory" }] };
  const all = found("app/web/main.ts", "app/main.ts", "main.ts", "app/website/main.ts");
  const paths = openPaths({ ...all, "file.list": listed }, "/work/app/web");
  expect(await paths.complete("main")).toEqual(["main.ts", "../main.ts", "../../main.ts", "../website/main.ts"]);
  expect(await paths.complete("./main")).toEqual(["main.ts", "../main.ts", "../../main.ts", "../website/main.ts"]);
  expect(await paths.complete("../main")).toEqual(["../main.ts", "../../main.ts", "../website/main.ts"]);
  expect(await paths.complete("./")).toEqual(["src/"]);
  expect(await paths.complete("web")).toEqual(["../website/", "../website/main.ts"]);
  expect(paths.doings).toEqual([readPlace, find("main"), find("main"), find("main"), list("app/web/./"), find("web")]);
});

test("a directory that does not exist has nothing to offer; a search that fails says why", async () => {
  const refusal = new Refusal("No ripgrep.");
  const paths = openPaths({ "file.list": refusal, "file.find": refusal });
  expect(await paths.complete("gone/")).toEqual([]);
  await expect(paths.complete("a")).rejects.toEqual(new FailureError(refusal.failure));
});

test("at most fifty are offered", async () => {
  const many = Array.from({ length: 50 }, (_, index) => `a-${index}/a.ts`);
  expect(await openPaths(found(...many)).complete("a")).toHaveLength(50);
});
