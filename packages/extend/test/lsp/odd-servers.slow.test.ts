/** Proves that servers which break the protocol fail no edit, tell nothing old, and grow nothing here. */
import { rmSync } from "node:fs";
import type { ToolContext } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { runOperation } from "../../src/lsp/client/index.ts";
import type { LspInput } from "../../src/lsp/index.ts";
import { openScriptedBed, type ScriptedBed, wrongWord } from "./scripted-bed.ts";

let open: ScriptedBed | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

function openWith(behaviour: string) {
  open = openScriptedBed(behaviour);
  const { bed: opened, logged: said } = open;
  const reading = { of: () => ({ answer: "allow" as const }) };
  const context = { cwd: opened.root, signal: new AbortController().signal, reading } as unknown as ToolContext;
  const lsp = async (input: LspInput) =>
    (
      await runOperation(
        input,
        {
          servers: opened.servers,
          serving: (path) => opened.served(path.slice(opened.root.length + 1)).serving,
          expected: () => [],
          whyNot: () => "nothing serves it",
          isServed: () => true,
          root: opened.root,
          shorten: (path) => path.replace(`${opened.root}/`, ""),
        },
        context,
      )
    ).output;
  return { bed: opened, said, lsp };
}

test.each(["odd-items", "push-odd"])("%s: diagnostics that are none cost themselves alone", async (behaviour) => {
  const { bed } = openWith(behaviour);
  bed.put("a.txt", "bad\n");
  const lines = await bed.diagnose("a.txt");
  expect(lines).toEqual(["a.txt:1:3 error: red (scripted 7)"]);
});

test("a report without items is no report", async () => {
  const { bed } = openWith("no-items");
  bed.put("a.txt", "bad\n");
  expect(await bed.diagnose("a.txt")).toEqual([]);
});

test("a report that says unchanged, where nothing was named, does not say that all is well", async () => {
  const { bed, lsp } = openWith("unchanged");
  bed.put("a.txt", "bad\n");
  expect(await bed.diagnose("a.txt")).toEqual([wrongWord(1, 1, "bad")]);
  expect(await lsp({ op: "diagnostics", filePath: "a.txt" })).toBe(
    "The language server returned no diagnostics in time.",
  );
});

test("a file that is removed and made again is told nothing of before", async () => {
  const { bed } = openWith("push-once-per-version");
  bed.put("a.txt", "bad\n");
  expect(await bed.diagnose("a.txt")).toEqual([wrongWord(1, 1, "bad")]);
  rmSync(bed.at("a.txt"));
  expect(await bed.diagnose("a.txt")).toEqual([]);
  bed.put("a.txt", "good\n");
  expect(await bed.diagnose("a.txt")).toEqual([]);
  bed.put("a.txt", "bad again\n");
  expect(await bed.diagnose("a.txt")).toEqual([wrongWord(1, 1, "bad again")]);
});

test("a server that offers to be asked and then does not know the question is heard instead", async () => {
  const { bed } = openWith("push-behind-pull");
  for (const text of ["bad\n", "good\n", "bad bad\n"]) {
    bed.put("a.txt", text);
    expect(await bed.diagnose("a.txt")).toHaveLength(text.split("bad").length - 1);
  }
});

test("pull that is registered and taken back again leads back to what is pushed", async () => {
  const { bed } = openWith("push-registers-and-leaves");
  bed.put("a.txt", "bad\n");
  expect(await bed.diagnose("a.txt")).toEqual([wrongWord(1, 1, "bad")]);
});

test("requests that kedge does not offer are refused, and broken ones break nothing", async () => {
  const { bed, said } = openWith("asks");
  bed.put("a.txt", "bad\n");
  expect(await bed.diagnose("a.txt")).toEqual([wrongWord(1, 1, "bad")]);
  await expect.poll(() => said().length).toBe(10);
  expect(said().slice(1)).toEqual([
    "workspace/configuration [null,{},null]",
    "workspace/configuration []",
    "client/registerCapability null",
    "client/unregisterCapability null",
    "window/showMessageRequest null",
    'window/showDocument {"success":false}',
    "workspace/codeLens/refresh null",
    "nobody/knows/this -32601",
    "workspace/executeCommand -32601",
  ]);
  bed.put("a.txt", "good\n");
  expect(await bed.diagnose("a.txt")).toEqual([]);
});

test("words in front of the protocol cost nothing", async () => {
  const { bed } = openWith("chatty");
  bed.put("a.txt", "bad\n");
  expect(await bed.diagnose("a.txt")).toEqual([wrongWord(1, 1, "bad")]);
});

test("columns are those of the text, with emoji, line ends of Windows and a server that counts bytes", async () => {
  const text = 'é😀 bad\r\n"😀" good bad\r\n';
  for (const behaviour of ["pull", "utf-8"]) {
    const { bed, lsp } = openWith(behaviour);
    bed.put("a.txt", text);
    expect((await bed.diagnose("a.txt")).map((line) => line.split(" ")[0])).toEqual(["a.txt:1:5", "a.txt:2:11"]);
    expect(await lsp({ op: "definition", filePath: "a.txt", line: 2, query: "bad" })).toMatch(/^a\.txt:2:11 /);
    expect(await lsp({ op: "hover", filePath: "a.txt", line: 1, query: "bad" })).toBe(
      behaviour === "utf-8" ? "at 7" : "at 4",
    );
    await bed.close();
  }
});

test("a rename over several files is shown, whatever form it has, and changes none of them", async () => {
  const { bed, lsp } = openWith("pull");
  bed.put("a.txt", "bad\n");
  bed.put("other file.txt", "bad too\n");
  const shown = await lsp({ op: "renamePreview", filePath: "a.txt", line: 1, column: 1, newName: "fine" });
  expect(shown.split("\n").map((line) => line.replaceAll(bed.root, ""))).toEqual([
    'other file.txt:1:1  → "fine"  bad too',
    'a.txt:1:1  → "fine"  bad',
    "rename a.txt to other file.txt",
    "delete /etc/passwd",
    "Nothing was changed.",
  ]);
  expect([bed.text("a.txt"), bed.text("other file.txt")]).toEqual(["bad\n", "bad too\n"]);
});
