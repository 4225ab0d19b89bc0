/** A process that saves facts: `node save-facts.ts <directory> <name> <count> [<umask>]`. Says when each is saved. */
import { openMemoryStore } from "../../src/topics/index.ts";

const [directory = "", name = "", count = "0", mask] = process.argv.slice(2);
if (mask !== undefined) process.umask(Number.parseInt(mask, 8));
let token = 0;
const store = openMemoryStore({
  directory,
  now: () => Date.parse("2026-03-10T12:00:00Z"),
  newToken: () => `p${process.pid}n${token++}`,
  redact: (text) => text,
  acceptInferred: false,
});
for (let number = 1; number <= Number(count); number++) {
  const slug = `${name}-${number}`;
  const body = `Fact ${slug}.\n${"More about it. ".repeat(200)}`;
  // Each takes the place of the one before, so that one change touches several files.
  const draft = { name: slug, description: `About ${slug}`, type: "project", body, slug, tags: [name] } as const;
  await store.save(draft, { origin: "user-stated" });
  if (number > 1) await store.prefer(slug, `${name}-${number - 1}`);
  process.stdout.write(`${slug}\n`);
}
