/** Programs whose behaviour files of the project decide: each with the files that make a harmless call run the trap. */
import { type CaseClass, fillPart, partsIn } from "./draw.ts";

type Steered = {
  readonly looks: readonly string[];
  readonly files?: { readonly [path: string]: string };
  readonly prepare?: string;
};

const steered = partsIn<Steered>("steered-programs.jsonl");

export const steeredPrograms: CaseClass = {
  name: "steered-programs",
  make(draw) {
    const { looks, ...laid } = draw.of(steered);
    const look = draw.of(looks);
    const isSimple = /^[a-z][\w.+-]*( [^=]*)?$/.test(look) && !/^(cd|pushd|export) /.test(look);
    const around = draw.of([
      "@@",
      "@@",
      "@@ 2>&1 | head -20",
      "cd . && @@",
      "ls && @@",
      isSimple ? "timeout 4 @@" : "@@",
    ]);
    return { ...laid, command: fillPart(around, look) };
  },
};
