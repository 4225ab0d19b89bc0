/** Keeps a set-up that nobody wrote by hand from costing minutes: what is too much is left as a whole, with a note. */
import type { Findings } from "../findings.ts";

const settingsMax = 500;
const rulesMax = 2_000;

/** Of rules none are kept then, since those that allow need those that deny. */
export function boundFindings({ settings, rules, lostRules, notes }: Findings, file: string): void {
  if (settings.length > settingsMax) {
    notes.push({ file, kind: "broken", why: `has more than ${settingsMax} settings; the rest is skipped` });
    settings.length = 0;
  }
  if (rules.length + lostRules.length > rulesMax) {
    notes.push({
      file,
      kind: "broken",
      why: `has more than ${rulesMax.toLocaleString("en")} rules; the rest is skipped`,
    });
    rules.length = 0;
    lostRules.length = 0;
  }
}
