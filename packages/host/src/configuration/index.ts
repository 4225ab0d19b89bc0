/** What the commands about the configuration need, apart from what every start needs. */
export { type Changed, type ChangeParts, changeSetting, type SettingChange } from "./change-setting.ts";
export { type ConfigDirectory, configDirs } from "./config-sources.ts";
export {
  type ExplainedSetting,
  type Explanation,
  explainSettings,
  type FlagValue,
  type LayerValue,
  settingsBelow,
  winnerOf,
} from "./explain-settings.ts";
export { type FileSetAside, setAsideFile } from "./set-aside-file.ts";
export { findLayers } from "./setting-layers.ts";
export { findSetting } from "./setting-path.ts";
export { type ListedSetting, listSettings, settingsSchema } from "./settings-schema.ts";
export { settingsTable } from "./settings-table.ts";
