/** The bundler plugin that puts a bundled program in place of the `programBeside` call that would name its source. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build as bundle, type Plugin } from "esbuild";

const call = /(?<!\bfunction\s+)\bprogramBeside\(\s*import\.meta\.url,\s*"([^"\\]+)",?\s*\)/;

export const inlineProgram: Plugin = {
  name: "inline-program",
  setup(build) {
    build.onLoad({ filter: /\.ts$/, namespace: "file" }, async ({ path }) => {
      const source = readFileSync(path, "utf8");
      const found = call.exec(source);
      if (found?.[1] === undefined) return undefined;
      const text = await bundledText(resolve(dirname(path), found[1]));
      return { contents: source.replace(found[0], () => JSON.stringify({ text })), loader: "ts" };
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
