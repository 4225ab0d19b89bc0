/** Proves what a server tells clients of language servers, formatters, symbols and resources, and to whom it says nothing. */
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { request, type ServerProcess, startServerProcess } from "../serve-bench.ts";
import { environment, type LspSite, openLspSite, putTypeScript } from "./lsp-site.ts";

let site: LspSite | undefined;
let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.stop();
  await site?.close();
});

const packages = join(import.meta.dirname, "../../../../node_modules/@modelcontextprotocol");
const everything = { command: process.execPath, args: [join(packages, "server-everything/dist/index.js")] };

test("states, symbols and resources for whoever has the token", { timeout: 120_000 }, async () => {
  const opened = await openLspSite([], { mcp: { everything }, permission: { read: { "closed.ts": "deny" } } });
  site = opened;
  putTypeScript(opened);
  opened.put("biome.json", "{}");
  opened.put("closed.ts", "export function sumOfSecrets(): number {\n  return 1;\n}\n");
  const started = await startServerProcess({ ...opened, start: (argv) => opened.start(argv, { environment }) });
  server = started;
  const ask = async (path: string) => (await request(started, path)).body;

  const { servers } = (await ask("/lsp")) as { servers: readonly { name: string; state: string }[] };
  expect(servers.find(({ name }) => name === "typescript")).toMatchObject({ state: "available" });
  expect(JSON.stringify(servers)).not.toContain(opened.project);

  const { formatters } = (await ask("/formatter")) as { formatters: readonly { name: string }[] };
  expect(formatters.find(({ name }) => name === "biome")).toMatchObject({
    name: "biome",
    extensions: expect.arrayContaining([".ts"]),
    enabled: true,
    why: "biome.json",
  });

  // The first question starts the server, which reads the project meanwhile.
  await expect
    .poll(() => ask("/find/symbol?text=sum"))
    .toMatchObject({ symbols: [{ name: "sum", path: "cart.ts", line: 2 }] });
  expect(JSON.stringify(await ask("/find/symbol?text=sum"))).not.toContain("sumOfSecrets");

  expect(await ask("/find/resource?text=demo")).toEqual({ resources: [], isCut: false });
  // Servers connect a moment after the first session was opened.
  expect(await started.client.send<"session.create">({ type: "session.create" })).toMatchObject({ ok: true });
  await expect.poll(() => ask("/find/resource?text=demo")).not.toMatchObject({ resources: [] });
  const found = (await ask("/find/resource?text=demo&limit=2")) as { resources: readonly object[]; isCut: boolean };
  expect(found.resources).toMatchObject([{ server: "everything", uri: expect.stringMatching(/^demo:/) }, {}]);
  expect(found.isCut).toBe(true);

  for (const path of ["/lsp", "/formatter", "/find/symbol?text=sum", "/find/resource?text=demo", "/mcp"])
    expect((await request({ ...started, token: "wrong" }, path)).status).toBe(401);
});
