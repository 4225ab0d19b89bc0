/** The bundled painter loads its tables of Unicode with the first text that needs them, and not before. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { lateMeasures } from "./late-measures.ts";
import { unusedModules } from "./unused-modules.ts";

type Bundled = { readonly visibleWidth: (text: string) => number };

test("neither loading the screen nor text of one cell per character makes a segmenter", async () => {
  const screen = join(dirname(import.meta.dirname), "packages/tui/src/screen");
  const contents = `export * from "./open-screen.ts"; export * from "./process-terminal.ts"; export * from "./text-width.ts";`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: screen },
    ...{ bundle: true, write: false, platform: "node", format: "cjs", tsconfigRaw: "{}", logLevel: "silent" },
    define: { "import.meta.url": JSON.stringify(import.meta.url) },
    plugins: [lateMeasures, unusedModules],
  });
  let made = 0;
  class CountedSegmenter extends Intl.Segmenter {
    constructor(...given: ConstructorParameters<typeof Intl.Segmenter>) {
      super(...given);
      made += 1;
    }
  }
  const module = { exports: {} as Bundled };
  const counted: unknown = Object.create(Intl, { Segmenter: { value: CountedSegmenter } });
  const run = new Function("require", "module", "exports", "Intl", outputFiles[0]?.text ?? "");
  run(createRequire(import.meta.url), module, module.exports, counted);
  const { visibleWidth } = module.exports;
  expect([visibleWidth("\u001b[1m❯ ask\u001b[22m ╰─·─╯"), made]).toEqual([11, 0]);
  expect([visibleWidth("漢字"), made > 0]).toEqual([4, true]);
});
