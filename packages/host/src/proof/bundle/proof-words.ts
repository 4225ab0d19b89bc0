/** How a bundle and its check are told to people. */
import { counted } from "@kedge/protocol";
import type { CheckedLine } from "./check-proof.ts";
import type { SignedBundle } from "./proof-bundle.ts";

const marks: { readonly [verdict in CheckedLine["verdict"]]: string } = {
  holds: "✓",
  "does not hold": "✗",
  "not checked": "–",
};

export function checkedText({ what, verdict, why }: CheckedLine): string {
  const reason = why === undefined ? "" : `: ${why}`;
  return `${marks[verdict]} ${what}${verdict === "holds" ? "" : ` ${verdict}${reason}`}`;
}

export function bundleText(bundle: SignedBundle, path: string): string {
  const { reproductions, grades, commands, base, diff, cost, isDiffRedacted } = bundle;
  const files = diff.split("\n").filter((line) => line.startsWith("diff --git ")).length;
  const checks = commands.filter(({ isCheck }) => isCheck).length;
  return [
    `Wrote ${path}.`,
    `base ${base.slice(0, 12)}, ${counted(files, "changed file")}${isDiffRedacted ? ", secrets redacted" : ""}`,
    ...reproductions.map(({ id, state }) => `reproduction ${id}: ${state}`),
    ...grades.map(({ target, score }) => `mutation score of ${target}: ${score.toFixed(2)}`),
    `${counted(commands.length, "command")}, ${counted(checks, "check")} after the last change`,
    `cost $${cost.usd.toFixed(4)}${cost.isEstimated ? " (estimated)" : ""}`,
    `Check it with kedge prove --check ${path}.`,
  ].join("\n");
}
