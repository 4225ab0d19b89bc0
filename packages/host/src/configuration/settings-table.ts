/** The table of all settings for the manual, from their declarations. */

import { textBeside } from "@kedge/protocol/text-file";
import type { ProjectRight } from "./setting-declaration.ts";
import { listSettings } from "./settings-schema.ts";

const columns = ["setting", "meaning", "accepts", "default", "in a project", "takes effect"];

/** The whole document, in Markdown. */
export function settingsTable(): string {
  const rows = listSettings().map(({ key, description, accepts, default: standard, declaration }) => [
    code(key),
    description,
    accepts,
    standard === undefined ? "" : code(JSON.stringify(standard)),
    projectText(declaration.project),
    declaration.counts,
  ]);
  const lines = [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.map(escaped).join(" | ")} |`);
  return `${textBeside(import.meta.url, "./settings-table.md").trimEnd()}\n\n${lines.join("\n")}\n`;
}

function projectText(right: ProjectRight): string {
  switch (right.kind) {
    case "allowed":
      return "allowed";
    case "ignored":
      return "ignored";
    case "tightens":
      return right.rule;
  }
}

function code(text: string): string {
  return `\`${text}\``;
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|");
}
