/** The settings of teams. */
import type { BackendWish } from "@kedge/agents/teams";
import { isJsonObject } from "@kedge/protocol";
import { object, oneOf, said } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type TeamSettings = { readonly backend: BackendWish };

const backends = ["auto", "in-process", "tmux", "iterm2"] as const;

export const teamSettings: SettingDeclarations = {
  teams: {
    check: object({
      backend: said(
        "Where teammates run: in tmux or iTerm2 panes, or in the leader's process. `auto` uses panes where available.",
        oneOf(backends),
        "auto",
      ),
    }),
    project: ignored("it decides how programs are started"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readTeamSettings(value: unknown): TeamSettings {
  const backend = isJsonObject(value) ? value["backend"] : undefined;
  return { backend: backends.find((known) => known === backend) ?? "auto" };
}
