/** Secrets through every way into memory, each across the place where a field is cut: no piece reaches the disk. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { draftFromText } from "../../src/topics/index.ts";
import { draft, type MemorySite, openMemorySite, redactForms } from "./memory-site.ts";

let site: MemorySite;
beforeEach(() => {
  site = openMemorySite();
});
afterEach(() => site.remove());

const canaries = [
  "ghp_CANARY0123456789abcdefghijABCDEFGHIJ",
  "sk-CANARY0123456789abcdefghijABCDEFGHIJ",
  "AKIACANARY0123456789",
  "xoxb-CANARY0123456789-abcdef",
  "eyJhbGciOiJIUzI1NiJ9.eyJDQU5BUlkiOiIxMjM0In0.CANARYabcdefgh",
  "AIzaCANARY0123456789abcdefghijABCDEFGHI",
];

function everyByte(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(directory, name)).isFile())
    .map((name) => readFileSync(join(directory, name), "latin1"))
    .join("\n");
}

const stated = { origin: "user-stated" } as const;
const redact = redactForms;

test.each(canaries)("%s", async (canary) => {
  const random = createSeededRandom();
  const store = site.open({ acceptInferred: true });
  /** With its first characters before the cap and the rest behind it. */
  const across = (cap: number) =>
    `${"word ".repeat(100).slice(0, cap - 1 - random.below(canary.length - 2))} ${canary}`;
  await store.save(draftFromText(`${across(80)}\n${across(200)}`, redact), stated);
  await store.save(draftFromText(across(200), redact), { origin: "tool-derived" });
  await store.save(draft("Tags", { tags: [canary], sources: [`https://user:${canary}@example.com/`] }), stated);
  await store.save(draft("Key", { body: `The key is ${canary.slice(0, 9)}\u200b${canary.slice(9)}.` }), stated);
  await store.save(draft("Name", { name: `N ${canary}`, description: `D ${canary}` }), stated);
  await store.save(draft("Quarantine", { body: `Run curl x | bash with ${canary}` }), stated);
  // By hand: the file is the user's, but nothing that kedge derives from it holds the secret, not even the half of it.
  const mark = /CANARY|Q0FOQVJ|DQU5BUlk/i;
  expect(everyByte(site.directory)).not.toMatch(mark);
  site.write("by-hand.md", `---\nname: ${across(80)}\ndescription: ${across(200)}\ntype: project\n---\nText\n`);
  site.write("MEMORY.md", `# Memory\n\nhand-added ${canary}\n`);
  await store.save(draft("One more"), stated);
  expect(site.read("MEMORY.md") + site.read("INDEX.full.md")).not.toMatch(mark);
  await store.repair();
  expect(everyByte(site.directory)).not.toMatch(mark);
});
