/** The settings of custom tools: where else they lie. */
import { isJsonObject } from "@kedge/protocol";
import { list, object, said, text } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type CodeSettings = {
  /** Files and folders; `~` is the home directory, others start at the working directory. */
  readonly paths: readonly string[];
};

export const codeSettings: SettingDeclarations = {
  tools: {
    check: object({
      paths: said("Additional files and directories with custom tools.", list(text), []),
    }),
    project: ignored("project tools go in .kedge/tools"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readCodeSettings(tools: unknown): CodeSettings {
  const paths = isJsonObject(tools) ? tools["paths"] : undefined;
  return { paths: Array.isArray(paths) ? paths.map(String) : [] };
}
