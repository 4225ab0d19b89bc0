/** What a session has done, in the form of a pull request: asked of a small model once for each state of the conversation. */
import type { SessionState } from "@kedge/protocol";
import { askAside } from "../run/side-query.ts";
import type { SessionParts } from "./session-parts.ts";

/** Of one prompt or one answer, and of all of them. */
const excerptCharactersMax = 1_500;
const shownCharactersMax = 40_000;
const filesMax = 50;
const wordsMax = 200;
const answerTokensMax = 2_000;
const timeoutMs = 30_000;

export type WorkSummary = {
  readonly text: string;
  /** False where files are named in its place. */
  readonly isWritten: boolean;
};

export async function summariseWork({
  engine,
  journal,
}: Pick<SessionParts, "engine" | "journal">): Promise<WorkSummary> {
  const { state } = journal;
  const { leaf, workSummary: known } = state;
  if (leaf !== undefined && known?.leaf === leaf) return { text: known.text, isWritten: true };
  const files = { text: filesText(state), isWritten: false };
  const settings = engine.conversation?.workSummary;
  if (settings === undefined || leaf === undefined || !settings.isAffordable(state)) return files;
  const { models, newRequestId, redact } = engine;
  const answer = await askAside(
    { models, newRequestId },
    {
      ...{ model: settings.model, beside: state.model, source: "background", timeoutMs },
      system: await settings.prompt(),
      messages: [{ role: "user", text: redact(shownText(state)) }],
      outputTokensMax: answerTokensMax,
      signal: new AbortController().signal,
    },
  );
  const { usage, cost } = answer;
  const summary = answer.ok ? redact(withinWords(answer.text.trim())) : "";
  const isWritten = summary !== "";
  if (isWritten || usage.input + usage.output > 0)
    await journal.emit({ type: "session.updated", ...(isWritten && { summary, summaryLeaf: leaf }), usage, cost });
  return isWritten ? { text: summary, isWritten } : files;
}

/** What the user said and what the model answered at last. What tools gave is never in it. */
function shownText(state: Readonly<SessionState>): string {
  const said: string[] = [];
  let answer = "";
  const closeTurn = () => {
    if (answer !== "") said.push(`<agent>\n${excerpt(answer)}\n</agent>`);
    answer = "";
  };
  for (const item of state.items) {
    if (item.type === "prompt") {
      closeTurn();
      said.push(`<developer>\n${excerpt(item.text)}\n</developer>`);
    } else if (item.type === "answer") {
      const text = item.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      answer = text === "" ? answer : text;
    } else if (item.type === "compaction") said.push(`<earlier>\n${excerpt(item.summary)}\n</earlier>`);
  }
  closeTurn();
  // The end of the work says more of it than its beginning.
  const shown = said.join("\n").slice(-shownCharactersMax);
  return `${shown}\n<changed-files>\n${filesText(state)}\n</changed-files>`;
}

function excerpt(text: string): string {
  return text.slice(0, excerptCharactersMax);
}

function filesText({ undoPoints }: Readonly<SessionState>): string {
  const files = new Map<string, string>();
  for (const { changes } of undoPoints)
    for (const step of changes) for (const { path, status } of step.files) files.set(path, files.get(path) ?? status);
  if (files.size === 0) return "No files changed.";
  const lines = [...files].slice(0, filesMax).map(([path, status]) => `${status} ${path}`);
  const more = files.size - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

function withinWords(text: string): string {
  const end = [...text.matchAll(/\S+/g)][wordsMax]?.index;
  return end === undefined ? text : `${text.slice(0, end).trimEnd()} …`;
}
