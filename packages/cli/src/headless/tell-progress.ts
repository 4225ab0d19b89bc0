/** `--verbose` headless: what is done on the way to the answer, on standard error. */
import type { Fact } from "@kedge/protocol";
import { factText } from "../console/console-view.ts";
import { writeDiagnostic } from "../output.ts";

/** Answers are left out, because the last of them is the result; the end is told with it as well. */
export function tellProgress(fact: Fact): void {
  if (fact.type === "step.ended" || fact.type === "run.ended") return;
  const text = factText(fact).trimEnd();
  if (text !== "") writeDiagnostic(text);
}
