/** The documentation that is shipped is the folder `docs`. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { documents } from "./documents.ts";

/** For those who change kedge. */
const notShipped = ["maps.md"];

test("every document is shipped, and nothing else", () => {
  const folder = readdirSync(new URL("../../../../docs", import.meta.url)).filter((name) => name.endsWith(".md"));
  expect(Object.keys(documents).sort()).toEqual(folder.filter((name) => !notShipped.includes(name)).sort());
  for (const text of Object.values(documents)) expect(text()).toMatch(/^# /m);
});
