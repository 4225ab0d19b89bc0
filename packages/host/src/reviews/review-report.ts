/** The report of a review as markdown. */
import { counted } from "@kedge/protocol";
import type { Finding } from "./finding.ts";
import type { ReviewResult } from "./run-review.ts";

export function reviewReport(title: string, result: ReviewResult): string {
  const { findings, candidates, dropped, unjudged, failed, isPartial, usd } = result;
  const counts = `${counted(candidates, "candidate")}, ${findings.length} confirmed, ${dropped} dropped`;
  return [
    `# ${title}`,
    "",
    `${counts}, cost $${usd.toFixed(4)}.`,
    ...(isPartial ? ["", "**Partial result:** some work was not finished in time."] : []),
    ...(findings.length === 0 ? ["", "No findings."] : []),
    ...findings.flatMap((finding, index) => [
      ...section(`${index + 1}. ${heading(finding)}`, finding),
      `- Confidence: ${finding.confidence} of 10. ${finding.reason}`,
    ]),
    ...(unjudged.length === 0 ? [] : ["", "## Not judged"]),
    ...unjudged.map((finding) => `- ${heading(finding)}: ${finding.scenario}`),
    ...(failed.length === 0 ? [] : ["", "## Not finished"]),
    ...failed.map(({ lens, why }) => `- ${lens}: ${why}`),
  ].join("\n");
}

function heading({ file, line, endLine, severity, category }: Finding): string {
  const lines = endLine > line ? `${line}-${endLine}` : `${line}`;
  return `${file}:${lines} ${severity}, ${category}`;
}

function section(title: string, { scenario, fix, lenses }: Finding): readonly string[] {
  return [
    "",
    `## ${title}`,
    "",
    `- Scenario: ${scenario}`,
    `- Fix: ${fix === "" ? "none suggested" : fix}`,
    ...(lenses.length > 1 ? [`- Found by: ${lenses.join(", ")}`] : []),
  ];
}
