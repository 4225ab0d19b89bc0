/** Proves that the manual of the command line names every command, and no other; its examples run in another test. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkbench } from "./workbench.ts";

test("the manual and the help list the same commands", async () => {
  const manual = readFileSync(join(import.meta.dirname, "../../../docs/cli.md"), "utf8");
  const section = /^## Commands$(.*?)^With /ms.exec(manual)?.[1] ?? "";
  const inManual = [...section.matchAll(/^\| (.*?) \| /gm)]
    .flatMap(([, names = ""]) => [...names.matchAll(/`kedge ([a-z]+)`/g)])
    .map(([, name]) => name);
  const bench = await openWorkbench([]);
  try {
    const { stdout } = await bench.run(["--help"]);
    const inHelp = [...stdout.matchAll(/^ {2}kedge ([a-z]+) /gm)].map(([, name]) => name);
    expect([...new Set(inManual)].toSorted()).toEqual(inHelp.toSorted());
  } finally {
    await bench.close();
  }
});
