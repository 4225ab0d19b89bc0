/** `kedge skills` and `kedge commands`: every definition that was found, which counts, and what is wrong with the others. */
import { type ListedDefinition, listDefinitions, openExtensions } from "@kedge/host/extensions";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { type Column, tableText } from "../text-table.ts";
import { definitionTexts } from "../texts/setup.ts";

const kinds = { skills: "skill", commands: "command" } as const;

type Run = (words: readonly string[], flags: Flags) => Promise<number>;

export const runSkillsCommand: Run = (words, flags) => runDefinitionsCommand("skills", words, flags);
export const runCommandsCommand: Run = (words, flags) => runDefinitionsCommand("commands", words, flags);

async function runDefinitionsCommand(
  what: keyof typeof kinds,
  [action = "list", extra]: readonly string[],
  flags: Flags,
): Promise<number> {
  if (action !== "list" || extra !== undefined) {
    writeNotice(definitionTexts.usage(what));
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const { home, project, configuration } = opened;
  const extensions = await openExtensions({
    ...{ home, project, userDirectory: surroundings.userDirectory, now: Date.now },
    settings: configuration.extensions,
    plugins: configuration.plugins,
    disabledSources: configuration.instructions.disabledSources,
    onNotice: writeNotice,
    readFile: () => undefined,
  });
  const rows = listDefinitions(await extensions.find(kinds[what]));
  if (flags.json) writeResult(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) writeResult(definitionTexts.none(what));
  else show(rows);
  return exitCodes.success;
}

const descriptionMax = 60;

function show(rows: readonly ListedDefinition[]): void {
  const columns: readonly Column<ListedDefinition>[] = [
    { title: definitionTexts.name, align: "left", text: ({ name }) => name },
    { title: definitionTexts.status, align: "left", text: ({ status }) => status },
    { title: definitionTexts.tier, align: "left", text: ({ tier }) => tier },
    { title: definitionTexts.source, align: "left", text: ({ source }) => source },
    {
      title: definitionTexts.description,
      align: "left",
      text: ({ description }) => showTerminalControls(description.slice(0, descriptionMax)),
    },
    { title: definitionTexts.why, align: "left", text: ({ why }) => showTerminalControls(why) },
  ];
  writeResult(tableText(columns, rows));
  for (const { file, notes } of rows)
    for (const note of notes) writeResult(`${showTerminalControls(`${file}: ${note}`)}\n`);
}
