/** What the commands about the configuration need, apart from what every start needs. */
export { type ChangeParts, changeSetting } from "./change-setting.ts";
export { configDirs } from "./config-sources.ts";
export {
  type ExplainedSetting,
  type Explanation,
  explainSettings,
  type LayerValue,
  settingsBelow,
  winnerOf,
} from "./explain-settings.ts";
export { setAsideFile } from "./set-aside-file.ts";
export { findSetting } from "./setting-path.ts";
export { listSettings, settingsSchema } from "./settings-schema.ts";
export { settingsTable } from "./settings-table.ts";
