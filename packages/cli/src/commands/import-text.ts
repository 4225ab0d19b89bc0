/** What `kedge import` prints: the diff, what is left and why, and what to do next. */
import { foreignAgents, type ImportNote, type ImportPlan } from "@kedge/host/import";
import { importTexts } from "../texts/setup.ts";

const headings: { readonly [Kind in ImportNote["kind"]]: string } = {
  broken: importTexts.unreadable,
  secret: importTexts.secrets,
  unsupported: importTexts.noEquivalent,
  kept: importTexts.alreadySet,
  stays: importTexts.readInPlace,
};

const linesMax = 200;

export function planText({ agent, files, notes }: ImportPlan): string {
  const kinds = Object.entries(headings).flatMap(([kind, heading]) => {
    const lines = notes.filter((note) => note.kind === kind).map((note) => `  ${noteText(note)}`);
    const more = lines.length > linesMax ? [importTexts.more(lines.length - linesMax)] : [];
    return lines.length === 0 ? [] : [[heading, ...lines.slice(0, linesMax), ...more].join("\n")];
  });
  const none = files.length === 0 ? [importTexts.nothing(foreignAgents[agent].name)] : [];
  return `${[...files.map(({ diff }) => diff), ...kinds, ...none].join("\n\n")}\n`;
}

/** On one line: a name with a line end in it could pass for a line of ours. */
function noteText({ file, key, why, remedy }: ImportNote): string {
  const text = `${file}${key === undefined ? "" : `: ${key}`} ${why}.${remedy === undefined ? "" : ` ${remedy}`}`;
  return text.replaceAll("\n", "␊");
}

export function planReport({ agent, found, files, notes }: ImportPlan, { isApplied }: { readonly isApplied: boolean }) {
  const shown = files.map(({ name: file, before, diff }) => ({
    file,
    change: before === undefined ? "add" : "change",
    diff,
  }));
  return { agent, found, files: shown, notes, applied: isApplied };
}

export function closingText(
  { agent, found, files }: ImportPlan,
  { needsTrust }: { readonly needsTrust: boolean },
): string {
  return [
    importTexts.wrote(files.length),
    ...(needsTrust ? [importTexts.needsTrust] : []),
    importTexts.alsoRead(found, agent),
  ].join("\n");
}
