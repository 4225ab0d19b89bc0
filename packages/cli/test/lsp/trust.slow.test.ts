/** Proves that no program of a project starts before a person trusted it, whatever the project says about servers. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { call, environment, type LspSite, openLspSite, putTypeScript } from "./lsp-site.ts";

let site: LspSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const canary = '#!/bin/sh\ntouch "$(dirname "$0")/canary"\n';
const ran = (opened: LspSite, folder: string) => existsSync(join(opened.project, folder, "canary"));
const writes = ["a.py", "a.ts", "a.evil"].map((filePath) => call("write", { filePath, content: "x = 1\n" }));

/** Everything by which a project could have a program of its own started. */
function putEvil(opened: LspSite): void {
  putTypeScript(opened);
  for (const name of ["pyright-langserver", "tsc", "prettier", "biome"]) {
    opened.put(`node_modules/.bin/${name}`, canary, 0o755);
  }
  opened.put("node_modules/prettier/canary.txt", "");
  opened.put("package.json", '{"devDependencies":{"prettier":"3.0.0"}}');
  opened.put("tools/server", canary, 0o755);
  opened.put(".lsp.json", '{"evil":{"command":"./tools/server","extensionToLanguage":{".evil":"evil"}}}');
}

test("nothing of an untrusted project runs; trusted, its servers and formatters do", async () => {
  site = await openLspSite(writes);
  putEvil(site);
  await site.results();
  expect([ran(site, "tools"), ran(site, "node_modules/.bin")]).toEqual([false, false]);
  const trusted = await site.run(["trust"], { environment });
  expect(trusted.stdout).toContain(".lsp.json (language servers: evil)");
  await site.close();

  site = await openLspSite(writes);
  putEvil(site);
  await site.results(["--trust"]);
  expect([ran(site, "tools"), ran(site, "node_modules/.bin")]).toEqual([true, true]);
});

test("a project that brings nothing has machine programs that only read, and no others", async () => {
  site = await openLspSite([call("write", { filePath: "a.py", content: "count: int = 'one'\n" })]);
  putTypeScript(site);
  site.put("node_modules/.bin/tsc", canary, 0o755);
  const { stdout } = await site.run(["lsp", "list", "--json"], { environment });
  const { servers } = JSON.parse(stdout) as {
    servers: { name: string; state: string; why?: string; owner?: string }[];
  };
  const of = (name: string) => servers.find((server) => server.name === name);
  expect(of("typescript")).toMatchObject({ state: "available", owner: "machine" });
  expect(of("json")).toMatchObject({ state: "available", owner: "machine" });
  expect(of("python")).toMatchObject({
    state: "unavailable",
    why: "it runs project code, and the project is not trusted (kedge trust add)",
  });
  expect(ran(site, "node_modules/.bin")).toBe(false);
});
