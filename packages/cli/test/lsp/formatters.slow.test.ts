/** Proves formatters with the real program: real ones, one that fails, and one that hangs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { call, type LspSite, openLspSite } from "./lsp-site.ts";

let site: LspSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const text = (opened: LspSite, name: string) => readFileSync(join(opened.project, name), "utf8");

test("biome formats what was written; the diff and what counts as known are the formatted ones", async () => {
  site = await openLspSite([
    call("write", { filePath: "a.js", content: "const  a  =  'x'\n" }),
    call("edit", { filePath: "a.js", oldString: 'const a = "x";', newString: "const a = 'y'" }),
  ]);
  site.put("biome.json", "{}");
  const [written, edited] = await site.results();
  expect(written).toContain("Formatters changed a.js after the write");
  expect(edited).toContain("Changed a.js (+1 -1 lines).");
  expect(text(site, "a.js")).toBe('const a = "y";\n');
});

test("configured formatters run, and one that fails or hangs leaves the text with a line", async () => {
  const shell = (script: string) => ["/bin/sh", "-c", script, "formatter", "$FILE"];
  const settings = {
    formatter: {
      upper: { command: shell('tr a-z A-Z <"$1" >"$1.new" && mv "$1.new" "$1"'), extensions: [".upper"] },
      failing: { command: shell("echo no such style >&2; exit 3"), extensions: ["fails"] },
      off: { disabled: true, command: shell("exit 1"), extensions: [".off"] },
    },
  };
  const names = ["a.upper", "a.fails", "a.off"];
  site = await openLspSite(
    names.map((filePath) => call("write", { filePath, content: "text\n" })),
    settings,
  );
  const results = await site.results();
  expect(results).toEqual([
    "Created a.upper (+1 -0 lines).\nFormatters changed a.upper after the write; read it before you quote from it.",
    "Created a.fails (+1 -0 lines).\nfailing did not format the file: no such style, exit code 3. The file is unchanged.",
    "Created a.off (+1 -0 lines).",
  ]);
  expect(names.map((name) => text(site as LspSite, name))).toEqual(["TEXT\n", "text\n", "text\n"]);
});
