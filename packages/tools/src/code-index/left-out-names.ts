/** Files that are text but would only be in the way of a search for code, as patterns for ripgrep. */

export const leftOutNames: readonly string[] = [
  "node_modules",
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "*.lock",
  "go.sum",
  "*.min.js",
  "*.min.css",
  "*.map",
  "*.svg",
];
