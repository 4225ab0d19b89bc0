/** Has the painter measure text by our module, which loads the library's own only for text that needs it. */
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";

const ours = join(dirname(import.meta.dirname), "packages/tui/src/screen/late-measures.ts");

/** We have an editor of our own, so that these are left out of the bundle; what they need is not in our module. */
const unused = /\/(?:autocomplete|components\/editor)\.js$/;

export const lateMeasures: Plugin = {
  name: "late-measures",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/utils\.js$/ }, ({ importer }) =>
      importer.includes("/@earendil-works/pi-tui/") && !unused.test(importer)
        ? { path: ours, sideEffects: false }
        : undefined,
    );
  },
};
