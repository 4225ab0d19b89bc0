/** Proves symbols in prompts with the real program: found by a server, and attached with the lines they stand on. */
import { afterEach, expect, test } from "vitest";
import { environment, type LspSite, openLspSite, putTypeScript } from "./lsp-site.ts";

let site: LspSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

test("a place in a file brings its lines, and a name that is no file stays what it is", async () => {
  site = await openLspSite([]);
  putTypeScript(site);
  await site.run(["-p", "Explain @cart.ts:2-3 and @missing.ts:4."], { environment });
  const sent = site.model.requests[0]?.raw.toString() ?? "";
  const lines = "export function sum(left: number, right: number): number {\n  return left + right;\n";
  expect(sent).toContain(JSON.stringify(`<file path="cart.ts:2-3">\n${lines}</file>`).slice(1, -1));
  expect(sent).not.toContain("Adds two prices");
  expect(sent).not.toContain('path=\\"missing.ts');
});
