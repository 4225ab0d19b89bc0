/** The notes of one session: its goal, what was decided and what is open, kept apart from summaries that get shorter each time. */

export type SessionNotes = {
  readonly goal: string;
  /** The oldest first, each once. */
  readonly decisions: readonly string[];
  readonly open: string;
};

const sectionCharactersMax = 2_000;
const decisionsMax = 40;
const lineCharactersMax = 300;

/** What a summary says under its headings; a part that it does not have is empty. */
export function notesOfSummary(summary: string): SessionNotes & { readonly failed: string } {
  const section = (heading: string) => sectionOf(summary, heading);
  return {
    goal: section("Goal"),
    decisions: linesOf(section("Decisions and why")),
    open: section("Current state and next step"),
    failed: section("Failed approaches"),
  };
}

/** The newest word about goal and open ends; decisions add up. */
export function mergeNotes(before: SessionNotes, { goal, decisions, open }: SessionNotes): SessionNotes {
  return {
    goal: goal || before.goal,
    decisions: [...new Set([...before.decisions, ...decisions])].slice(-decisionsMax),
    open: open || before.open,
  };
}

export function notesText({ goal, decisions, open }: SessionNotes): string {
  const list = decisions.map((line) => `- ${line}`).join("\n");
  return `## Goal\n${goal}\n\n## Decisions and why\n${list}\n\n## Current state and next step\n${open}\n`;
}

function sectionOf(text: string, heading: string): string {
  const start = text.indexOf(`## ${heading}\n`);
  if (start === -1) return "";
  const [body = ""] = text.slice(start + heading.length + 4).split(/^## |^---$/m, 1);
  const trimmed = body.trim();
  return /^\(?none\)?\.?$/i.test(trimmed) ? "" : trimmed.slice(0, sectionCharactersMax);
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(/^\s*[-*]\s*/, "")
        .trim()
        .slice(0, lineCharactersMax),
    )
    .filter((line) => line !== "");
}
