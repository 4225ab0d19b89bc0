/** The settings of custom tools: where else they lie, and whose folders count. */
import { isJsonObject } from "@kedge/protocol";
import { flag, list, object, said, text } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type CodeSettings = {
  /** Files and folders; `~` is the home directory, others start at the working directory. */
  readonly paths: readonly string[];
  /** `tools` folders of Claude Code and Codex count as well. */
  readonly hasOtherTools: boolean;
};

export const codeSettings: SettingDeclarations = {
  tools: {
    check: object({
      paths: said("Additional files and directories with custom tools.", list(text), []),
    }),
    project: ignored("project tools go in .kedge/tools"),
    counts: "at start",
  },
  compat: {
    check: object({
      tools: said("Run custom tools in .claude/tools and .codex/tools as well.", flag, false),
      disable: said("IDs of other agents whose directories are not read, such as claude or opencode.", list(text), []),
    }),
    project: ignored("a project uses disabledProviders instead"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readCodeSettings(tools: unknown, compat: unknown): CodeSettings {
  const paths = isJsonObject(tools) ? tools["paths"] : undefined;
  const hasOtherTools = isJsonObject(compat) && compat["tools"] === true;
  return { paths: Array.isArray(paths) ? paths.map(String) : [], hasOtherTools };
}
