/** `kedge config`: what counts and why, and changes to your own settings. */
import { findProject, homeDirectory, judgeWorkspace, openHome } from "@kedge/host";
import {
  type ChangeParts,
  changeSetting,
  type ExplainedSetting,
  type Explanation,
  explainSettings,
  findSetting,
  listSettings,
  setAsideFile,
  settingsBelow,
  settingsSchema,
  settingsTable,
  winnerOf,
} from "@kedge/host/configuration";
import type { Json } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { settingsOfFlags } from "../arguments/policy-conflict.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { type Column, tableText } from "../text-table.ts";
import { configTexts } from "../texts/setup.ts";
import { explanationText, filesText, sourcesText, valueText } from "./config-text.ts";
import { type LeftDefinition, leftDefinitions, leftText } from "./left-definitions.ts";

type Place = ChangeParts & { readonly flags: Flags };

export async function runConfigCommand([action, ...words]: readonly string[], flags: Flags): Promise<number> {
  const [key, value, extra] = words;
  if (action === "explain" && flags.instructions) {
    const { runInstructionsCommand } = await import("./instructions-command.ts");
    return runInstructionsCommand(words, flags);
  }
  const wanted = { get: 1, set: 2, unset: 1, "set-aside": 1, list: 0, schema: 0, path: 0 }[action ?? ""];
  const fits = action === "explain" ? words.length <= 1 : words.length === wanted && extra === undefined;
  if (!fits) return usage(configTexts.usage);
  if (action === "schema")
    return print(settingsSchema(), JSON.stringify(settingsSchema(), undefined, 2), { json: false });
  if (action === "list") return printList(flags);
  const place = openPlace(flags);
  if (place === undefined) return exitCodes.error;
  switch (action) {
    case "get":
      return printValue(key ?? "", place);
    case "set":
      return change(key ?? "", parseValue(value ?? ""), place);
    case "unset":
      return change(key ?? "", undefined, place);
    case "set-aside":
      return leaveOut(key ?? "", place);
    case "path":
      return explained(place, ({ files }) => print(files, filesText(files), flags));
    default:
      return explain(key, place, key === undefined && !flags.sources ? await leftDefinitions(flags) : []);
  }
}

function openPlace(flags: Flags): Place | undefined {
  const { cwd, environment, userDirectory } = readSurroundings();
  const project = findProject(cwd);
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return undefined;
  }
  const { home } = opened;
  const { state } = judgeWorkspace({ home, root: project.root, userDirectory, now: Date.now });
  const isTrusted = state === "trusted" || state === "nothing";
  const places = { home: home.directory, userDirectory, cwd: project.cwd, projectRoot: project.root };
  return {
    flags,
    home,
    now: Date.now,
    sources: { ...places, environment, files: flags.settings ?? [], isTrusted },
  };
}

async function explained(place: Place, show: (explanation: Explanation) => number): Promise<number> {
  const { flags } = place;
  const ofFlags = settingsOfFlags.flatMap(([flag, name, setting]) => {
    const value = flags[flag];
    return typeof value === "string" || typeof value === "number" ? [{ flag: name, key: setting, value }] : [];
  });
  const outcome = await explainSettings(place.sources, ofFlags);
  if (!outcome.ok) {
    writeNotice(`${outcome.sentence}.`);
    return exitCodes.error;
  }
  return show(outcome.explanation);
}

function printValue(key: string, place: Place): Promise<number> | number {
  const found = findSetting(key);
  if (!found.ok) return usage(`${found.sentence}.`);
  return explained(place, (explanation) => {
    const below = settingsBelow(explanation, key).flatMap((setting) => {
      const winner = winnerOf(setting);
      return winner === undefined || winner.value === null ? [] : [{ key: setting.key, value: winner.value }];
    });
    const isHidden = settingsBelow(explanation, key).some((setting) => winnerOf(setting)?.isHidden);
    if (below.length === 0) {
      writeNotice(isHidden ? configTexts.secretSet(key) : configTexts.notSet(key));
      return exitCodes.error;
    }
    const [only] = below;
    const isWhole = below.length === 1 && only?.key === key;
    const value: Json = isWhole ? only.value : Object.fromEntries(below.map((each) => [each.key, each.value]));
    const text = isWhole
      ? valueText(only.value)
      : below.map((each) => `${each.key} = ${valueText(each.value)}`).join("\n");
    return print(value, text, place.flags);
  });
}

async function change(key: string, value: Json | undefined, place: Place): Promise<number> {
  const { flags } = place;
  const layer = flags.local ? "local" : "user";
  const changed = await changeSetting({ layer, key, ...(value !== undefined && { value }) }, place);
  if (!changed.ok) {
    writeDiagnostic(failureText(changed.failure));
    return exitCodes.error;
  }
  const text = changed.changed
    ? (value === undefined ? configTexts.removedFrom : configTexts.setIn)(changed.file)
    : configTexts.noChange;
  return print({ file: changed.file, changed: changed.changed }, text, flags);
}

async function leaveOut(file: string, { sources, flags }: Place): Promise<number> {
  const outcome = await setAsideFile(file, sources);
  if (!outcome.ok) {
    writeNotice(`${outcome.sentence}.`);
    return exitCodes.error;
  }
  const { file: name, problem } = outcome;
  return print({ file: name, problem }, configTexts.ignoring(name, problem), flags);
}

/** What is no JSON is a text: `kedge config set model anthropic/claude` needs no quotes. */
function parseValue(text: string): Json {
  try {
    // Parsed JSON is JSON.
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function explain(key: string | undefined, place: Place, left: readonly LeftDefinition[]): Promise<number> | number {
  const { flags } = place;
  const found = key === undefined ? undefined : findSetting(key);
  if (found?.ok === false) return usage(`${found.sentence}.`);
  return explained(place, (explanation) => {
    if (flags.sources) return print(sourcesOf(explanation), sourcesText(explanation, place.sources), flags);
    const all = key === undefined ? explanation.settings.filter(isSetSomewhere) : settingsBelow(explanation, key);
    const settings = all.map((setting) => ({ ...setting, winner: winnerOf(setting)?.layer }));
    const text = [explanationText(all, explanation, key), ...(left.length > 0 ? [leftText(left)] : [])].join("\n");
    return print({ settings, warnings: explanation.warnings, ...(left.length > 0 && { left }) }, text, flags);
  });
}

function sourcesOf({ files, foreign }: Explanation) {
  return { files, foreign };
}

/** Without a name only what somebody set is told; the rest is in `kedge config list`. */
function isSetSomewhere({ layers, ignored }: ExplainedSetting): boolean {
  return ignored.length > 0 || layers.some(({ layer }) => layer !== "default");
}

function printList(flags: Flags): number {
  if (flags.format === "md") {
    writeResult(settingsTable());
    return exitCodes.success;
  }
  const settings = listSettings().map(({ declaration, ...setting }) => ({
    ...setting,
    counts: declaration.counts,
    project: declaration.project.kind,
  }));
  if (flags.json) return print(settings, "", flags);
  const columns: readonly Column<(typeof settings)[number]>[] = [
    { title: configTexts.setting, align: "left", text: ({ key }) => key },
    {
      title: configTexts.default,
      align: "left",
      text: (row) => (row.default === undefined ? "-" : valueText(row.default)),
    },
    { title: configTexts.meaning, align: "left", text: ({ description }) => description },
    { title: configTexts.accepts, align: "left", text: ({ accepts }) => accepts },
  ];
  writeResult(tableText(columns, settings));
  return exitCodes.success;
}

function print(value: unknown, text: string, { json }: { readonly json?: boolean }): number {
  writeResult(json ? `${JSON.stringify(value)}\n` : `${text}\n`);
  return exitCodes.success;
}

function usage(text: string): number {
  writeNotice(text);
  return exitCodes.usage;
}
