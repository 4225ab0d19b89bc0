/** The bundler plugin that puts a bundled program in place of the `programBeside` call that would name its source. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build as bundle, type Plugin } from "esbuild";
import { maskSource } from "./source-scan.ts";

const call = /^programBeside\(\s*import\.meta\.url,\s*"([^"\\]+)",?\s*\)/;

export const inlineProgram: Plugin = {
  name: "inline-program",
  setup(build) {
    build.onLoad({ filter: /\.ts$/, namespace: "file" }, async ({ path }) => {
      const source = readFileSync(path, "utf8");
      if (!source.includes("programBeside(")) return undefined;
      const at = maskSource(source).search(/(?<!\bfunction\s+)\bprogramBeside\(/);
      const found = at === -1 ? null : call.exec(source.slice(at));
      if (found?.[1] === undefined) return undefined;
      const text = await bundledText(resolve(dirname(path), found[1]));
      const contents = source.slice(0, at) + JSON.stringify({ text }) + source.slice(at + found[0].length);
      return { contents, loader: "ts" };
    });
  },
};

/** As an ES module, because it imports what others wrote as such. */
async function bundledText(entry: string): Promise<string> {
  const { outputFiles } = await bundle({
    ...{ entryPoints: [entry], bundle: true, write: false, outfile: "program.mjs" },
    ...{ platform: "node", format: "esm", target: "node22", minify: true, charset: "ascii" },
    ...{ legalComments: "none", logLevel: "warning", tsconfigRaw: "{}" },
  });
  return outputFiles[0]?.text ?? "";
}
