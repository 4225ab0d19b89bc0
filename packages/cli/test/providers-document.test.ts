/** Proves that docs/providers.md names every vendor of the catalogue, with its variable, its wire and a real model. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const text = readFileSync(join(root, "docs/providers.md"), "utf8");

type Vendor = {
  readonly id: string;
  readonly name: string;
  readonly api: string;
  readonly package?: string;
  readonly keys: readonly string[];
  readonly models: { readonly [id: string]: object };
};

// The catalogue is ours, and its own tests read every line of it.
const vendors = readFileSync(join(root, "packages/models/src/catalogue/catalogue.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => JSON.parse(line) as Vendor);

/** The lines under each heading that ends with an id. */
const sections = new Map(
  text
    .split(/^(?=#{2,3} )/m)
    .map((section) => [/^### .*: `([^`]+)`\n/.exec(section)?.[1], section] as const)
    .filter(([id]) => id !== undefined),
);

const rows = text.split("\n").filter((line) => line.startsWith("| `"));

function rowOf({ id, name, api, package: packageName, keys }: Vendor): string {
  const variables = keys.map((key) => `\`${key}\``).join(", ");
  return `| \`${id}\` | ${name} | ${variables} | ${api === "ai-sdk" ? packageName : api} |`;
}

test("each vendor of the catalogue has a section or a row, and nothing else has", () => {
  expect([...sections.keys()].filter((id) => !vendors.some((vendor) => vendor.id === id))).toEqual([]);
  expect(rows).toEqual(
    vendors
      .filter(({ id }) => !sections.has(id))
      .sort((left, right) => (left.id < right.id ? -1 : 1))
      .map(rowOf),
  );
});

test("each section is three lines, with the vendor's first variable and a model of its list", () => {
  const wrong = vendors.flatMap((vendor) => {
    const section = sections.get(vendor.id);
    if (section === undefined) return [];
    const [key = ""] = vendor.keys;
    const model = /`kedge -m ([^`]+)`/.exec(section)?.[1] ?? "";
    const known = Object.keys(vendor.models);
    const problems = [
      section.split("\n").filter((line) => line.startsWith("- ")).length === 3 ? "" : "not three lines",
      key === "" || section.includes(`\`${key}\``) ? "" : `no ${key}`,
      model.startsWith(`${vendor.id}/`) ? "" : `the model ${model}`,
      known.length === 0 || known.includes(model.slice(vendor.id.length + 1)) ? "" : `unknown ${model}`,
      vendor.api !== "ai-sdk" || section.includes("kedge providers install") ? "" : "no package",
    ].filter((problem) => problem !== "");
    return problems.map((problem) => `${vendor.id}: ${problem}`);
  });
  expect(wrong).toEqual([]);
});
