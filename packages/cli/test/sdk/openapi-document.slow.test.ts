/** Proves that docs/openapi.json, from which the types of the routes are made, is what the server says of itself. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { routeOf } from "@kedge/protocol";
import { commandRows, queryRows, readRows } from "@kedge/protocol/rows";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSdkBench, openServer, type SdkBench } from "./sdk-bench.ts";

const root = join(import.meta.dirname, "../../../..");
let bench: SdkBench;

beforeAll(async () => {
  bench = await openSdkBench();
});
afterAll(() => bench?.close());

/** As the formatter wants every JSON file to be. */
function formatted(value: unknown): string {
  const biome = join(root, "node_modules/.bin/biome");
  const argv = ["format", "--stdin-file-path=docs/openapi.json"];
  return execFileSync(biome, argv, { cwd: root, input: JSON.stringify(value), encoding: "utf8" });
}

test("the stored document is current; vitest -u writes it anew", async () => {
  const server = await openServer(bench);
  try {
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await fetch(`${server.url}${routeOf(readRows.document).path}`, { headers });
    const document: { readonly paths: { readonly [path: string]: object } } = JSON.parse(await response.text());
    await expect(formatted(document)).toMatchFileSnapshot(join(root, "docs/openapi.json"));
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
    );
    const routes = [...Object.values(commandRows), ...Object.values(queryRows), ...Object.values(readRows)];
    const missing = routes.map(({ route }) => route).filter((route) => !described.includes(route));
    expect(missing).toEqual([]);
  } finally {
    await server.close();
  }
});
