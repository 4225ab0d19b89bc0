import { expect, test } from "vitest";
import { commandRemovals, filesEditedInPlace } from "./file-commands.ts";

test("removals are found in every simple command, and not in the texts that a command is given", () => {
  const removed = (command: string) => commandRemovals(command).map(({ from, to }) => [from, to]);
  expect(removed("cd x && rm -f a.ts 'b c.ts' 2>/dev/null; git mv a.ts lib/")).toEqual([
    ["a.ts", undefined],
    ["b c.ts", undefined],
    ["a.ts", "lib/a.ts"],
  ]);
  expect(removed("(cd x; rm a.ts) | tee $(unlink b.ts)")).toEqual([
    ["a.ts", undefined],
    ["b.ts", undefined],
  ]);
  expect(removed("cat > clean.sh <<'END'\nrm a.ts\nEND\necho 'rm b.ts' # rm c.ts")).toEqual([]);
});

test("files edited in place are told from the script", () => {
  expect(filesEditedInPlace("sed -i 's/a/b/; s/c/d/' a.ts && perl -pi x b.ts | tee c.ts")).toEqual([
    "a.ts",
    "b.ts",
    "c.ts",
  ]);
});
