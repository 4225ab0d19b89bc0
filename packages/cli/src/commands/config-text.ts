/** How `kedge config` shows settings to a person. */
import {
  configDirs,
  type ExplainedSetting,
  type Explanation,
  type LayerValue,
  winnerOf,
} from "@kedge/host/configuration";
import { counted, type Json, showTerminalControls } from "@kedge/protocol";

/** A file of a project may hold anything, so what is shown of it cannot steer the terminal. */
export function valueText(value: Json): string {
  return showTerminalControls(typeof value === "string" ? value : JSON.stringify(value));
}

export function explanationText(
  settings: readonly ExplainedSetting[],
  { warnings }: Explanation,
  key: string | undefined,
): string {
  if (settings.length === 0) return key === undefined ? "No settings files." : `${key} is not set anywhere.`;
  const parts = settings.map(settingText);
  const notes = key === undefined ? warnings.map((warning) => showTerminalControls(`note: ${warning}.`)) : [];
  return [...parts, ...notes].join("\n");
}

function settingText(setting: ExplainedSetting): string {
  const winner = winnerOf(setting);
  const lines = setting.layers.map((value) => {
    const counts = setting.isUnited || value === winner;
    return `  ${counts ? "*" : " "} ${layerText(value)}`;
  });
  const ignored = setting.ignored.map(
    (value) => `  x ${layerText(value)}, ignored: ${showTerminalControls(value.reason)}`,
  );
  return [showTerminalControls(setting.key), ...lines, ...ignored].join("\n");
}

function layerText({ layer, value, from, line, isHidden }: LayerValue): string {
  const place = from === undefined ? "" : ` (${showTerminalControls(from)}${line === undefined ? "" : `:${line}`})`;
  const shown = isHidden ? "(hidden)" : value === null ? "null, which resets it" : valueText(value);
  return `${layer}${place}: ${shown}`;
}

export function filesText(files: Explanation["files"]): string {
  if (files.length === 0) return "No settings files yet. kedge config set creates yours.";
  return files
    .map(({ layer, file, problem }) =>
      showTerminalControls(`${layer}  ${file}${problem === undefined ? "" : `  (skipped: ${problem})`}`),
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
      ? `${file} (${sourceId}): ${counted(rules, "rule")} used, after kedge's own`
      : `${file} (${sourceId}): not used: ${problem}`,
  );
  return [...folders, filesText(files), ...readings]
    .map((line) => (line === "" ? line : showTerminalControls(line)))
    .join("\n");
}
