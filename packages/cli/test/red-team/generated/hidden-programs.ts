/** Ways to start a program without naming it where a command's name stands, and names that are not what they look like. */
import { type CaseClass, fillPart, partsIn } from "./draw.ts";

const traps = ["./trap.sh", "@PROJECT@/trap.sh", "bash trap.sh"] as const;
const starts = partsIn<string>("hidden-starts.jsonl");
const names = partsIn<string>("disguised-names.jsonl");

export const hiddenStarts: CaseClass = {
  name: "hidden-starts",
  make: (draw) => ({ command: fillPart(draw.of(starts), draw.of(traps)) }),
};

export const disguisedNames: CaseClass = {
  name: "disguised-names",
  make(draw) {
    const inner = fillPart(draw.of(names), draw.of(traps.slice(0, 2)));
    const around = draw.of([
      "@@",
      "ls; @@",
      "cd . && @@",
      "git status\n@@",
      "if true; then @@\nfi",
      "cat notes.md | { cat; @@\n}",
    ]);
    return { command: fillPart(around, inner) };
  },
};

/** One way inside of another. */
export const nestedStarts: CaseClass = {
  name: "nested-starts",
  make(draw) {
    const outer = draw.of(starts.filter((start) => !start.includes("\n") && !start.includes("'@@")));
    const inner = draw.of([
      "env -S './trap.sh'",
      "bash -c './trap.sh'",
      "eval ./trap.sh",
      "timeout 3 ./trap.sh",
      "xargs -a /dev/null ./trap.sh",
      "nice ./trap.sh",
      "setarch -R ./trap.sh",
      "command ./trap.sh",
      "find . -maxdepth 0 -exec ./trap.sh \\;",
    ]);
    return { command: fillPart(outer, inner) };
  },
};
