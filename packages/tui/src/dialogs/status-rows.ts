/** What the status dialog says, from what the queries answered: what runs where, with whose key, and what is wrong. */
import type { QueryAnswers, SessionView } from "@kedge/protocol";
import type { ClientState } from "../state/client-state.ts";
import { moneyText } from "../status/short-figures.ts";
import type { GroupedRow } from "./grouped-rows.ts";

/** What is not known yet is left out, and its rows with it. */
export type StatusParts = {
  readonly version: string;
  readonly connection: ClientState["connection"];
  readonly session?: SessionView | undefined;
  readonly effort?: string | undefined;
  readonly project?: QueryAnswers["project.read"] | undefined;
  readonly paths?: QueryAnswers["path.read"] | undefined;
  readonly providers?: QueryAnswers["provider.list"] | undefined;
  readonly config?: QueryAnswers["config.read"] | undefined;
  /** By provider, the variable of the environment that its key comes from. */
  readonly keyVariables?: { readonly [providerId: string]: string };
  /** Of the terminal's own settings and keys. */
  readonly settingsWarnings?: readonly string[];
};

/** Of providers with a key; the rest is counted. */
const providersNamedMax = 8;

export function statusRowsOf(parts: StatusParts): readonly GroupedRow[] {
  return [
    ...kedgeRows(parts),
    ...sessionRows(parts),
    ...projectRows(parts),
    ...providerRows(parts),
    ...settingRows(parts),
    ...pathRows(parts),
  ];
}

function kedgeRows({ version, connection }: StatusParts): readonly GroupedRow[] {
  const lost: Pick<GroupedRow, "value" | "tone"> = { value: "lost; kedge tries to reach it again", tone: "error" };
  return [
    { group: "kedge", label: "version", value: version },
    { group: "kedge", label: "engine", ...(connection === "lost" ? lost : { value: connection }) },
  ];
}

function sessionRows({ session, effort }: StatusParts): readonly GroupedRow[] {
  if (session === undefined) return [{ group: "Session", label: "session", value: "none yet" }];
  const { id, title, model, mode, cost } = session;
  return [
    { group: "Session", label: "title", value: title === "" ? "none yet" : title },
    { group: "Session", label: "id", value: id },
    { group: "Session", label: "model", value: effort === undefined ? model : `${model}, effort ${effort}` },
    { group: "Session", label: "mode", value: mode, ...(mode === "bypass" && { tone: "warning" }) },
    { group: "Session", label: "cost", value: `${moneyText(cost.usd)}${cost.estimated ? " (estimated)" : ""}` },
  ];
}

function projectRows({ project }: StatusParts): readonly GroupedRow[] {
  if (project === undefined) return [];
  const { directory, root, isGitRepository, isTrusted } = project;
  const untrusted: Pick<GroupedRow, "value" | "tone"> = {
    value: "not trusted; its settings and commands are left out",
    tone: "warning",
  };
  return [
    { group: "Project", label: "directory", value: directory },
    ...(root === directory ? [] : [{ group: "Project", label: "root", value: root }]),
    { group: "Project", label: "git", value: isGitRepository ? "yes" : "no repository" },
    { group: "Project", label: "trust", ...(isTrusted ? { value: "trusted" } : untrusted) },
  ];
}

function providerRows({ providers, session, keyVariables = {} }: StatusParts): readonly GroupedRow[] {
  if (providers === undefined) return [];
  const ready = providers.providers.filter(({ hasKey }) => hasKey);
  const named = ready.slice(0, providersNamedMax).map(({ name }) => name);
  const rest = ready.length - named.length;
  const none: Pick<GroupedRow, "value" | "tone"> = { value: "none; /login stores one", tone: "warning" };
  const names = `${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  return [
    { group: "Providers", label: "keys", ...(ready.length === 0 ? none : { value: names }) },
    ...ready.flatMap(({ providerId, name, models }): readonly GroupedRow[] => {
      const variable = keyVariables[providerId];
      if (variable === undefined) return [];
      const isInUse = session !== undefined && models.some(({ model }) => model === session.model);
      const value = `the account behind ${variable} of your environment pays for ${name}`;
      return [{ group: "Providers", label: "who pays", value, ...(isInUse && { tone: "warning" }) }];
    }),
  ];
}

function settingRows({ config, settingsWarnings = [] }: StatusParts): readonly GroupedRow[] {
  const warnings = [...(config?.warnings ?? []), ...settingsWarnings];
  const files = new Map<string, number>();
  for (const { layer, file } of config?.entries ?? []) {
    if (layer === "default") continue;
    const place = file === undefined ? layer : `${layer}: ${file}`;
    files.set(place, (files.get(place) ?? 0) + 1);
  }
  return [
    ...[...files].map(([place, count]) => ({
      group: "Settings",
      label: count === 1 ? "1 setting" : `${count} settings`,
      value: place,
    })),
    ...warnings.map((value) => ({ group: "Settings", label: "warning", value, tone: "warning" as const })),
  ];
}

function pathRows({ paths }: StatusParts): readonly GroupedRow[] {
  if (paths === undefined) return [];
  return [
    { group: "Files", label: "settings", value: paths.home },
    { group: "Files", label: "sessions", value: paths.data },
  ];
}
