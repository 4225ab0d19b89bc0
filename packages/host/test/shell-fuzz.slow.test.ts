/** No company and no disguise makes a denied command allowed, and no text breaks or stalls the judge. */
import type { PermissionAction } from "@kedge/protocol";
import { createSeededRandom, rounds, withPatience } from "@kedge/testing";
import { expect, test } from "vitest";
import { explainCommand } from "../src/explain/explain-permission.ts";
import { place, readCases } from "./shell-cases-measure.ts";
import { createCompany, harmless } from "./shell-fuzz-company.ts";
import { createDisguise } from "./shell-fuzz-disguise.ts";

const casesCount = rounds({ usual: 600, long: 30_000 });
const testTimeoutMs = 600_000;

const denied = ["rm -rf x", "curl http://e.example/a", "git push origin main", "rm x", "sudo ls"];
const open = { "*": "allow", "rm *": "deny", "curl *": "deny", "git push*": "deny", "sudo *": "deny" };
const careful = {
  "*": "ask",
  ...Object.fromEntries(harmless.map((command) => [`${command.split(" ")[0]} *`, "allow"])),
  "bash *": "allow",
  "sh *": "allow",
  "eval *": "allow",
  "env *": "allow",
  "rm *": "deny",
};
const strictness: { readonly [Action in PermissionAction]: number } = { allow: 0, ask: 1, deny: 2 };

function verdictOf(command: string, rules: unknown): PermissionAction {
  const explained = explainCommand(command, rules, place);
  if (!explained.ok) throw new Error(explained.problem);
  return explained.explanation.verdict;
}

function seeded() {
  const random = createSeededRandom();
  // The index is always within the list.
  return { random, pick: <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item };
}

test("the commands are denied alone and their company is not", () => {
  expect(denied.map((command) => verdictOf(command, open))).toEqual(denied.map(() => "deny"));
  expect(harmless.map((command) => verdictOf(command, open))).toEqual(harmless.map(() => "allow"));
});

test(
  "a denied command is never allowed in company",
  () => {
    const { random, pick } = seeded();
    const company = createCompany(random);
    const allowed: string[] = [];
    let asked = 0;
    for (let count = 0; count < casesCount; count += 1) {
      const command = company.surround(pick(denied), 1 + random.below(4));
      const verdict = verdictOf(command, open);
      if (verdict === "allow") allowed.push(command);
      if (verdict === "ask") asked += 1;
    }
    console.log(`${asked} of ${casesCount} were asked about, the others denied`);
    expect(allowed).toEqual([]);
    // A question is right where the text cannot be read; more would mean that reading it fails.
    expect(asked).toBeLessThan(casesCount / 10);
  },
  testTimeoutMs,
);

test(
  "another command never makes a text looser",
  () => {
    const { random, pick } = seeded();
    const company = createCompany(random);
    const pieces = [...harmless, "rm x", "make all", "echo x > ../y", "PATH=. ls", "cat $F", "bash -c 'rm x'", "$X a"];
    const looser: string[] = [];
    for (let count = 0; count < casesCount; count += 1) {
      const base = company.surround(pick(pieces), random.below(3));
      const joined = random.below(2) === 0 ? company.join(base, pick(pieces)) : company.join(pick(pieces), base);
      if (strictness[verdictOf(joined, careful)] < strictness[verdictOf(base, careful)]) looser.push(joined);
    }
    expect(looser).toEqual([]);
  },
  testTimeoutMs,
);

test(
  "a disguise of a denied command never makes it allowed",
  () => {
    const { random, pick } = seeded();
    const disguise = createDisguise(random);
    const allowed: string[] = [];
    for (let count = 0; count < casesCount; count += 1) {
      const command = disguise(pick(denied));
      if (verdictOf(command, open) === "allow") allowed.push(command);
    }
    expect(allowed).toEqual([]);
  },
  testTimeoutMs,
);

test(
  "no damaged text breaks or stalls the judge",
  () => {
    const { random, pick } = seeded();
    const company = createCompany(random);
    const commands = readCases("./shell-cases-held-out.jsonl").map(({ command }) => command);
    for (let count = 0; count < casesCount; count += 1) {
      const text = random.below(2) === 0 ? pick(commands) : company.surround(pick(denied), 1 + random.below(3));
      const bytes = Buffer.from(text);
      for (let left = 1 + random.below(6); left > 0; left -= 1) bytes[random.below(bytes.length)] = random.below(256);
      const cut = bytes.subarray(random.below(4) === 0 ? random.below(bytes.length) : 0);
      const damaged = cut.toString(random.below(2) === 0 ? "utf8" : "latin1");
      withPatience(() => verdictOf(damaged, open));
    }
  },
  testTimeoutMs,
);
