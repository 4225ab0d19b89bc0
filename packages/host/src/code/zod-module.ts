/** Where kedge's own zod lies, for code of others that asks for one. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** The form for `import`, which names what it exports; `require` takes it as well. */
export function zodModule(): string {
  const path = createRequire(import.meta.url).resolve("zod");
  return pathToFileURL(path.replace(/\.cjs$/, ".js")).href;
}
