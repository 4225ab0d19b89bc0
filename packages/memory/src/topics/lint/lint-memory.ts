/** Looks for what is wrong in a memory directory. Changes nothing. */
import { indexBytesMax, indexLinesMax } from "../contents/cap-index.ts";
import type { Contents, StoredTopic } from "../contents/contents.ts";
import { indexedSlugs, lineCharactersMax } from "../contents/index-file.ts";
import { indexFile } from "../directory/store-files.ts";
import { linksIn } from "../topic/links.ts";
import { vagueDate } from "../writing/relative-dates.ts";
import { citedPaths } from "./cited-paths.ts";
import { finding, type LintFinding } from "./lint-finding.ts";

export type LintParts = {
  readonly redact: (text: string) => string;
  /** 2026-03-01 */
  readonly today: string;
  /** How many lines a file of the current checkout has; undefined when it is not there. */
  readonly linesOf?: (path: string) => number | undefined;
};

const staleDays = 90;
const pressure = 0.8;
const dayMs = 86_400_000;

export function lintMemory(contents: Contents, parts: LintParts): readonly LintFinding[] {
  const counted = contents.topics.filter(({ place }) => place === "active");
  return [
    ...contents.unreadable.map(({ path, why }) => finding("unreadable", path, `Not read: ${why}.`)),
    ...contents.topics.flatMap((stored) => lintForm(stored, parts)),
    ...counted.flatMap((stored) => lintMeaning(stored, counted, parts)),
    ...lintDuplicates(counted),
    ...lintIndex(contents, counted, parts),
  ];
}

/** Also of those that wait for the user. */
function lintForm(
  { path, text, problems, place, suspicion }: StoredTopic,
  { redact }: LintParts,
): readonly LintFinding[] {
  const odd = problems.map(({ kind, sentence }) =>
    finding(kind === "type" ? "unknown-type" : "frontmatter", path, `Invalid frontmatter: ${sentence}.`),
  );
  const lines = text.split("\n");
  const secret =
    redact(text) === text
      ? []
      : [finding("secret", path, "Looks like it contains a secret.", lineOfSecret(lines, redact))];
  const isPlanted = place === "active" && suspicion !== undefined;
  return [...odd, ...secret, ...(isPlanted ? [finding("suspicious", path, `Not loaded: ${suspicion}.`)] : [])];
}

/** Some span several lines; then the first line stands for all. */
function lineOfSecret(lines: readonly string[], redact: (text: string) => string): number {
  return (
    Math.max(
      0,
      lines.findIndex((line) => redact(line) !== line),
    ) + 1
  );
}

function lintMeaning(
  { topic, path, text }: StoredTopic,
  counted: readonly StoredTopic[],
  parts: LintParts,
): readonly LintFinding[] {
  const slugs = new Set(counted.map((each) => each.topic.slug));
  const lineOf = (part: string) => {
    const at = text.indexOf(part);
    return at === -1 ? undefined : text.slice(0, at).split("\n").length;
  };
  const found: LintFinding[] = linksIn(topic.body)
    .filter((slug) => !slugs.has(slug))
    .map((slug) => finding("dead-link", path, `Links to ${slug}, which does not exist.`, lineOf(`[[${slug}]]`)));
  if (topic.supersededBy !== undefined && !slugs.has(topic.supersededBy)) {
    found.push(finding("dead-link", path, `Superseded by ${topic.supersededBy}, which does not exist.`));
  }
  if (topic.status === "disputed") {
    found.push(
      finding("disputed", path, `Contradicts ${topic.disputes.join(", ")}. Run /memory prefer <winner> <loser>.`),
    );
  }
  const age = topic.updated === "" ? 0 : (Date.parse(parts.today) - Date.parse(topic.updated)) / dayMs;
  if (age > staleDays && topic.status !== "superseded")
    found.push(finding("stale", path, `Not updated for ${Math.floor(age)} days.`));
  const vague = vagueDate.exec(topic.body)?.[0];
  if (vague !== undefined)
    found.push(finding("vague-date", path, `"${vague}" depends on when it was written.`, lineOf(vague)));
  return [...found, ...lintCited(path, [topic.body, ...topic.sources].join("\n"), { ...parts, lineOf })];
}

type CitedParts = Pick<LintParts, "linesOf"> & { readonly lineOf: (part: string) => number | undefined };

function lintCited(path: string, text: string, { linesOf, lineOf }: CitedParts): readonly LintFinding[] {
  if (linesOf === undefined) return [];
  return citedPaths(text).flatMap((cited) => {
    const lines = linesOf(cited.path);
    if (lines === undefined)
      return [finding("missing-path", path, `${cited.path} is not in the checkout.`, lineOf(cited.path))];
    if (cited.line === undefined || cited.line <= lines) return [];
    const message = `${cited.path} has ${lines} lines, not ${cited.line}.`;
    return [finding("missing-path", path, message, lineOf(`${cited.path}:${cited.line}`))];
  });
}

function lintDuplicates(counted: readonly StoredTopic[]): readonly LintFinding[] {
  const first = new Map<string, string>();
  return counted.flatMap(({ topic, path }) => {
    const words = topic.body
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    if (topic.status === "superseded" || words === "") return [];
    const known = first.get(words);
    if (known !== undefined) return [finding("duplicate", path, `Says the same as ${known}.`)];
    first.set(words, path);
    return [];
  });
}

function lintIndex(
  { index }: Contents,
  counted: readonly StoredTopic[],
  { redact }: LintParts,
): readonly LintFinding[] {
  if (index === undefined) return [];
  const lines = index.split("\n");
  const listed = new Set(indexedSlugs(index));
  const slugs = new Set(counted.map(({ topic }) => topic.slug));
  const lineOf = (slug: string) => lines.findIndex((line) => line.includes(`](${slug}.md)`)) + 1;
  const isListed = ({ topic, suspicion }: StoredTopic) => topic.status !== "superseded" && suspicion === undefined;
  const shares = {
    lines: index.trim().split("\n").length / indexLinesMax,
    bytes: Buffer.byteLength(index) / indexBytesMax,
  };
  const pressed = Object.entries(shares).filter(([, share]) => share > pressure);
  return [
    ...counted
      .filter((stored) => isListed(stored) && !listed.has(stored.topic.slug))
      .map(({ path }) => finding("orphan", path, `${indexFile} does not list it.`)),
    ...[...listed]
      .filter((slug) => !slugs.has(slug))
      .map((slug) => finding("missing-file", indexFile, `Lists ${slug}.md, which does not exist.`, lineOf(slug))),
    ...lines.flatMap((line, at) =>
      line.length > lineCharactersMax
        ? [
            finding(
              "long-line",
              indexFile,
              `The line has ${line.length} characters; keep it under ${lineCharactersMax}.`,
              at + 1,
            ),
          ]
        : [],
    ),
    ...pressed.map(([cap, share]) =>
      finding(
        "cap-pressure",
        indexFile,
        `${Math.round(share * 100)}% of the loaded ${cap} used. Merge or forget topics.`,
      ),
    ),
    ...(redact(index) === index
      ? []
      : [finding("secret", indexFile, "Looks like it contains a secret.", lineOfSecret(lines, redact))]),
  ];
}
