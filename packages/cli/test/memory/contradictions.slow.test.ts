/** Old and new facts that contradict each other, saved through the program: the older one is never the only one that a session sees. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

/** Older first. Half of them carry dates. */
const pairs: readonly (readonly [older: string, newer: string])[] = [
  ["The frontend is built with webpack", "The frontend is built with rspack"],
  ["Log files are rotated daily at midnight", "Log files are rotated weekly at midnight"],
  ["The default branch of the repository is master", "The default branch of the repository is main"],
  ["Error reports go to the Sentry project harbour", "Error reports no longer go to Sentry; they go to Honeycomb"],
  ["As of 2024-02-01 the mobile app targets Android 11", "As of 2026-02-01 the mobile app targets Android 14"],
  ["Invoices are rendered with wkhtmltopdf", "Since 2026-03-02 invoices are rendered with typst"],
  ["The cache server is memcached", "The cache server was replaced by redis on 2025-11-20"],
  ["Code review needs two approvals", "Code review needs one approval"],
  ["The user wants commit messages in French", "The user wants commit messages in English"],
  ["Translations are stored in gettext files", "Translations moved to fluent files"],
  ["Feature flags live in LaunchDarkly", "Feature flags live in Unleash since 2026-01-10"],
  ["The staging cluster runs in Frankfurt", "The staging cluster runs in Dublin"],
  ["Database migrations use alembic", "Database migrations switched from alembic to atlas"],
  ["Screenshots are compared with a tolerance of 2 percent", "Screenshots are compared with a tolerance of 5 percent"],
  ["Public holidays follow the Bavarian calendar", "Public holidays do not follow the Bavarian calendar"],
  ["Meetings of the platform team take place on Wednesday", "Meetings of the platform team take place on Thursday"],
  ["Before 2025 the queue was RabbitMQ", "The queue is NATS since 2025-06-01, not RabbitMQ"],
  ["Secrets of the pipeline come from Vault", "Secrets of the pipeline come from Doppler"],
  ["The linter allows lines of 100 characters", "The linter allows lines of 120 characters"],
  ["Releases are numbered by date", "Releases are numbered by semantic versions"],
];

test("of twenty pairs the older never stands alone or beside the newer without a word", async () => {
  const turns: MockTurn[] = [];
  bench = await openWorkbench(turns);
  const directory = (await bench.run(["memory", "path"])).stdout.trim();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "MEMORY.md"), "# Memory\n\nNo topics yet.\n");
  const save = (slug: string, fact: string): MockTurn => ({
    toolCalls: [
      {
        name: "write",
        input: {
          filePath: join(directory, `${slug}.md`),
          content: `---\nname: ${fact}\ndescription: ${fact}\ntype: project\n---\n\n${fact}.\n`,
        },
      },
    ],
  });
  for (const [at, [older, newer]] of pairs.entries())
    turns.push(save(`older-${at}`, older), save(`newer-${at}`, newer));
  turns.push({ text: "Saved." });
  await bench.run(["-p", "Remember all of this", "--max-turns", "200"]);
  await bench.run(["-p", "hi"]);
  const sent = (bench.model.requests.at(-1)?.body.messages ?? []).map(({ content }) => content ?? "").join("\n");
  const lineOf = (slug: string) => sent.split("\n").find((line) => line.includes(`(${slug}.md)`)) ?? "";
  const silent = pairs.flatMap(([older, newer], at) => {
    const [old, fresh] = [lineOf(`older-${at}`), lineOf(`newer-${at}`)];
    const isFine = fresh !== "" && (old === "" || (old.includes("disputed by") && fresh.includes("disputed by")));
    return isFine ? [] : [{ older, newer, old, fresh }];
  });
  expect(silent).toEqual([]);
  expect(readFileSync(join(directory, "older-3.md"), "utf8")).toContain("superseded_by: newer-3");
});
