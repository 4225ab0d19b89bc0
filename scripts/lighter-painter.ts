/**
 * Takes out of the painter what makes the first frame late: expressions over whole Unicode properties and a segmenter of
 * text are made when a text needs them, not when the module is loaded, and no text needs them that is made of characters
 * of one cell each. Together 60 of 170 ms. The build fails when the package no longer looks like this.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

type Change = { readonly from: RegExp; readonly to: string; readonly count: number };

/** Latin without marks, punctuation, arrows, boxes, blocks, shapes, Braille, and the few signs of our symbol sets. */
const singleCells =
  "/^[ -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2190-\\u21ff\\u22ef\\u2387\\u2500-\\u25a9\\u25ac-\\u25b5\\u25b7-\\u25bf\\u25c1-\\u25fa\\u25ff\\u2610\\u2713\\u2717\\u276f\\u2800-\\u28ff]+$/";

const lazily = `const madeLate = (make) => {
  let made;
  const get = () => (made ??= make());
  return {
    test: (text) => get().test(text),
    segment: (text) => get().segment(text),
    [Symbol.replace]: (text, by) => text.replace(get(), by),
    get source() { return get().source; },
  };
};
const singleCells = ${singleCells};
`;

const files: { readonly [name: string]: { readonly head: string; readonly changes: readonly Change[] } } = {
  "utils.js": {
    head: lazily,
    changes: [
      { from: /^const (\w+Regex) = (\/\^.*\/v);$/gm, to: "const $1 = madeLate(() => $2);", count: 6 },
      {
        from: /^const (\w+Segmenter) = (new Intl\.Segmenter\(.*\));$/gm,
        to: "const $1 = madeLate(() => $2);",
        count: 2,
      },
      {
        from: /^( +)let width = 0;\n +for \(const \{ segment \} of graphemeSegmenter\.segment\(clean\)\) \{/gm,
        to: "$1let width = singleCells.test(clean) ? clean.length : 0;\n$1if (width === 0) for (const { segment } of graphemeSegmenter.segment(clean)) {",
        count: 1,
      },
    ],
  },
  "terminal-image.js": {
    head: "",
    changes: [
      {
        from: /^import \{ execSync \} from "node:child_process";$/gm,
        to: 'const execSync = (...words) => process.getBuiltinModule("node:child_process").execSync(...words);',
        count: 1,
      },
    ],
  },
};

export const lighterPainter: Plugin = {
  name: "lighter-painter",
  setup(build) {
    build.onLoad({ filter: /[\\/]pi-tui[\\/]dist[\\/](?:utils|terminal-image)\.js$/ }, ({ path }) => {
      const { head, changes } = files[path.split(/[\\/]/).at(-1) ?? ""] ?? { head: "", changes: [] };
      let text = readFileSync(path, "utf8");
      for (const { from, to, count } of changes) {
        const found = text.match(from)?.length ?? 0;
        if (found !== count) throw new Error(`${path}: expected ${count} of ${from}, found ${found}`);
        text = text.replace(from, to);
      }
      return { contents: text.replace(/^(?!import)/m, `${head}`), loader: "js" };
    });
  },
};
