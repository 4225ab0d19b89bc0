/** Ordinary lines that look like secrets reach the model as they are, and a secret survives edits of the lines beside it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { beforeEach, expect, test } from "vitest";
import { makeSecrets } from "./made-secrets.ts";
import { makeOrdinaryLines } from "./ordinary-lines.ts";
import { runCalls } from "./run-calls.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));

test("lines that only look like secrets are not touched", async () => {
  const lines = makeOrdinaryLines(random);
  const run = await runCalls(
    [
      { name: "read", input: { filePath: "notes.txt:raw" } },
      { name: "bash", input: { command: "cat notes.txt", description: "x" } },
    ],
    {
      prepare: ({ project }) => writeFileSync(join(project, "notes.txt"), `${lines.join("\n")}\n`),
    },
  );
  const [read = "", printed = ""] = run.results.map(({ output }) => output);
  const changed = lines.filter((line) => !read.includes(line) || !printed.includes(line));
  if (process.env["OUTSIDE_SHOW"])
    console.log(
      `changed ${changed.length} of ${lines.length}\n${changed.join("\n")}\n${(read.match(/.*REDACTED.*/g) ?? []).join("\n")}`,
    );
  expect(changed, `seed ${random.seed}`).toEqual([]);
});

test("a secret survives edits of other lines, by every tool that edits", async () => {
  const secrets = makeSecrets(random);
  const lost: string[] = [];
  const text = `${secrets.map(({ text: secret }, at) => `line ${at} a\n${secret}\nline ${at} b`).join("\n")}\n`;
  const edits: { readonly [tool: string]: (at: number) => { name: string; input: object } } = {
    edit: (at) => ({
      name: "edit",
      input: { filePath: "notes.txt", oldString: `line ${at} a`, newString: `LINE ${at} A` },
    }),
    "edit over the mark": (at) => ({
      name: "edit",
      input: {
        filePath: "notes.txt",
        oldString: `line ${at} a\n{mark}\nline ${at} b`,
        newString: `LINE ${at} A\n{mark}\nLINE ${at} B`,
      },
    }),
    multi_edit: (at) => ({
      name: "multi_edit",
      input: {
        filePath: "notes.txt",
        edits: [
          { oldString: `line ${at} a`, newString: `LINE ${at} A` },
          { oldString: `line ${at} b`, newString: `LINE ${at} B` },
        ],
      },
    }),
    apply_patch: (at) => ({
      name: "apply_patch",
      input: { patch: `*** Begin Patch\n*** Update File: notes.txt\n@@\n-line ${at} a\n+LINE ${at} A\n*** End Patch` },
    }),
    "apply_patch with context": (at) => ({
      name: "apply_patch",
      input: {
        patch: `*** Begin Patch\n*** Update File: notes.txt\n@@\n-line ${at} a\n+LINE ${at} A\n {mark}\n line ${at} b\n*** End Patch`,
      },
    }),
    "write what was read": () => ({ name: "write", input: { filePath: "notes.txt", content: "{all}" } }),
  };
  for (const [tool, edit] of Object.entries(edits)) {
    const marks = await runCalls([{ name: "read", input: { filePath: "notes.txt:raw" } }], {
      prepare: ({ project }) => writeFileSync(join(project, "notes.txt"), text),
    });
    const shown = marks.results[0]?.output ?? "";
    const chosen = tool.startsWith("write") ? [0] : Array.from({ length: 12 }, () => random.below(secrets.length));
    const calls = chosen.map((at) => {
      const mark = new RegExp(`line ${at} a\n([\\s\\S]*?)\nline ${at} b`).exec(shown)?.[1] ?? "?";
      const patchMark = tool.startsWith("apply_patch") ? mark.replaceAll("\n", "\n ") : mark;
      const { name, input } = edit(at);
      const filled = JSON.parse(JSON.stringify(input), (_, value) =>
        typeof value === "string"
          ? value.replaceAll("{mark}", () => patchMark).replaceAll("{all}", () => shown)
          : value,
      );
      return { name, input: filled };
    });
    let after = "";
    const run = await runCalls([{ name: "read", input: { filePath: "notes.txt" } }, ...calls], {
      settings: { permission: { edit: "allow" } },
      prepare: ({ project }) => writeFileSync(join(project, "notes.txt"), text),
      afterwards: ({ project }) => {
        after = readFileSync(join(project, "notes.txt"), "utf8");
      },
    });
    if (process.env["OUTSIDE_SHOW"])
      console.log(
        tool,
        run.results
          .map(({ outcome, output }) => `${outcome} ${output.slice(0, 90)}`)
          .slice(1, 5)
          .join(" | "),
      );
    for (const { kind, text: secret } of secrets) if (!after.includes(secret)) lost.push(`${tool}: ${kind}`);
    if (after.includes("[REDACTED")) lost.push(`${tool}: wrote a mark`);
  }
  expect(lost, `seed ${random.seed}`).toEqual([]);
});
