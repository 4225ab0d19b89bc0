/** How `kedge config` shows settings to a person. */
import {
  configDirs,
  type ExplainedSetting,
  type Explanation,
  type LayerValue,
  winnerOf,
} from "@kedge/host/configuration";
import { type Json, showTerminalControls } from "@kedge/protocol";
import { configTexts } from "../texts/setup.ts";

/** A file of a project may hold anything, so what is shown of it cannot steer the terminal. */
export function valueText(value: Json): string {
  return showTerminalControls(typeof value === "string" ? value : JSON.stringify(value));
}

export function explanationText(
  settings: readonly ExplainedSetting[],
  { warnings }: Explanation,
  key: string | undefined,
): string {
  if (settings.length === 0) return key === undefined ? configTexts.noFiles : configTexts.notSetAnywhere(key);
  const parts = settings.map(settingText);
  const notes = key === undefined ? warnings.map((warning) => showTerminalControls(configTexts.note(warning))) : [];
  return [...parts, ...notes].join("\n");
}

function settingText(setting: ExplainedSetting): string {
  const winner = winnerOf(setting);
  const lines = setting.layers.map((value) => {
    const counts = setting.isUnited || value === winner;
    return `  ${counts ? "*" : " "} ${layerText(value)}`;
  });
  const ignored = setting.ignored.map((value) =>
    configTexts.ignored(layerText(value), showTerminalControls(value.reason)),
  );
  return [showTerminalControls(setting.key), ...lines, ...ignored].join("\n");
}

function layerText({ layer, value, from, line, isHidden }: LayerValue): string {
  const place = from === undefined ? "" : ` (${showTerminalControls(from)}${line === undefined ? "" : `:${line}`})`;
  const shown = isHidden ? configTexts.hidden : value === null ? configTexts.resets : valueText(value);
  return `${layer}${place}: ${shown}`;
}

export function filesText(files: Explanation["files"]): string {
  if (files.length === 0) return configTexts.noFilesYet;
  return files
    .map(({ layer, file, problem }) =>
      showTerminalControls(`${layer}  ${file}${problem === undefined ? "" : configTexts.skipped(problem)}`),
    )
    .join("\n");
}

type Places = Parameters<typeof configDirs>[1];

/** Folders of kedge and of other agents that are there, and the files of the latter whose rules count or do not. */
export function sourcesText({ files, foreign }: Explanation, places: Places): string {
  const folders = configDirs("", places).map(
    ({ source, scope, path }) => `${String(source.priority).padStart(3)}  ${source.id}  ${scope}  ${path}`,
  );
  const readings = foreign.map(({ sourceId, file, rules, problem }) =>
    problem === undefined
      ? configTexts.rulesUsed(file, sourceId, rules)
      : configTexts.sourceProblem(file, sourceId, problem),
  );
  return [...folders, filesText(files), ...readings]
    .map((line) => (line === "" ? line : showTerminalControls(line)))
    .join("\n");
}
