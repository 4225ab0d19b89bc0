/** The bundler plugin that puts a text file in place of the `textBeside` call that would read it at run time. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { PartialMessage, Plugin } from "esbuild";
import { lineAt, maskSource } from "./source-scan.ts";

export const inlineText: Plugin = {
  name: "inline-text",
  setup(build) {
    build.onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      if (!source.includes("textBeside(")) return undefined;
      const { contents, errors } = replaceTextCalls(source, path);
      return { contents, errors: [...errors], loader: "ts" };
    });
  },
};

export function replaceTextCalls(
  source: string,
  path: string,
): { contents: string; errors: readonly PartialMessage[] } {
  const masked = maskSource(source);
  const errors: PartialMessage[] = [];
  let contents = "";
  let copied = 0;
  for (const call of masked.matchAll(/(?<!\bfunction\s+)\btextBeside\(/g)) {
    const literal = /^textBeside\(\s*import\.meta\.url,\s*"([^"\\]+)",?\s*\)/.exec(source.slice(call.index));
    if (literal?.[1] === undefined) {
      const location = { file: path, line: lineAt(source, call.index) };
      errors.push({ text: "textBeside needs import.meta.url and a literal file name to be bundled", location });
      continue;
    }
    const text = readFileSync(resolve(dirname(path), literal[1]), "utf8").trimEnd();
    contents += source.slice(copied, call.index) + JSON.stringify(text);
    copied = call.index + literal[0].length;
  }
  return { contents: contents + source.slice(copied), errors };
}
