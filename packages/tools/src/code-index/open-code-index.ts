/** The local index of code, loaded with the first search: most sessions make none. */
import type { CodeIndex, CodeIndexParts } from "./code-index.ts";

export function openCodeIndex(parts: CodeIndexParts): CodeIndex {
  let loading: Promise<CodeIndex> | undefined;
  const load = async () => (await import("./code-index.ts")).createCodeIndex(parts);
  return {
    async search(query) {
      loading ??= load();
      return (await loading).search(query);
    },
  };
}
