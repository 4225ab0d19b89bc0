/** A project in TypeScript with the real program, and what the model was told in it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { openWorkbench, type Workbench } from "../workbench.ts";

const installed = join(import.meta.dirname, "../../../../node_modules/.bin");
/** With the language servers of this checkout. */
export const environment = { PATH: `${installed}:${process.env["PATH"]}` };

export type LspSite = Workbench & {
  put(name: string, text: string, mode?: number): void;
  /** Each result of a call but those of reads, in order. */
  results(argv?: readonly string[]): Promise<readonly string[]>;
};

export const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });

export async function openLspSite(
  turns: readonly MockTurn[],
  settings: { readonly [name: string]: unknown } = {},
): Promise<LspSite> {
  const bench = await openWorkbench([...turns, { text: "Done." }], settings);
  const put = (name: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(bench.project, name)), { recursive: true });
    writeFileSync(join(bench.project, name), text, { mode });
  };
  return {
    ...bench,
    put,
    async results(argv = []) {
      const flags = ["--permission-mode", "accept-edits", "--output-format", "stream-json", ...argv];
      const { stdout, code, stderr } = await bench.run(["-p", "go", ...flags], { environment });
      if (code !== 0) throw new Error(`kedge ended with ${code}: ${stderr}`);
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      return lines.flatMap(({ type, tool, output }) =>
        type === "tool_result" && tool !== "read" ? [String(output)] : [],
      );
    },
  };
}

export function putTypeScript(site: Pick<LspSite, "put">): void {
  const options = { strict: true, noEmit: true, module: "esnext", moduleResolution: "bundler" };
  site.put("tsconfig.json", JSON.stringify({ compilerOptions: options }));
  site.put(
    "cart.ts",
    "/** Adds two prices. */\nexport function sum(left: number, right: number): number {\n  return left + right;\n}\n",
  );
  site.put("shop.ts", 'import { sum } from "./cart";\n\nexport function total(): number {\n  return sum(1, 2);\n}\n');
}
