/** Leaves out modules of a package that nobody uses, although the package does not say that this is safe. */
import type { Plugin } from "esbuild";

/** Their modules only define things: looked through when the version was chosen. */
const harmless = /^@earendil-works\/pi-tui$/;

export const unusedModules: Plugin = {
  name: "unused-modules",
  setup(build) {
    const isOurs = Symbol("resolved by this plugin");
    build.onResolve({ filter: harmless }, async ({ path, pluginData, ...options }) => {
      if (pluginData === isOurs) return undefined;
      const found = await build.resolve(path, { ...options, pluginData: isOurs });
      return found.errors.length > 0 ? found : { ...found, sideEffects: false };
    });
    // Inside of the package its modules name each other.
    build.onResolve({ filter: /^\.\.?\// }, async ({ path, pluginData, ...options }) => {
      if (pluginData === isOurs || !options.importer.includes("/@earendil-works/pi-tui/")) return undefined;
      const found = await build.resolve(path, { ...options, pluginData: isOurs });
      return found.errors.length > 0 ? found : { ...found, sideEffects: false };
    });
  },
};
