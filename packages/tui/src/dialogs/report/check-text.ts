/** What was found wrong on the machine, and what to do about it, in one line. */
import type { DoctorCheck } from "@kedge/protocol";

export function checkText({ sentence, next }: Pick<DoctorCheck, "sentence" | "next">): string {
  const found = sentence.endsWith(".") ? sentence : `${sentence}.`;
  return next === undefined ? found : `${found} ${next}`;
}
