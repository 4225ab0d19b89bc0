/** What the status dialog says, from what the queries answered: what runs where, with whose key, and what is wrong. */
import { costText, type QueryAnswers, type SessionView } from "@kedge/protocol";
import type { ClientState } from "../../state/client-state.ts";
import { moneyText } from "../../status/short-figures.ts";
import { checkText } from "./check-text.ts";
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
  readonly checks?: QueryAnswers["doctor.run"]["checks"] | undefined;
  /** Of the terminal's own settings and keys. */
  readonly settingsWarnings?: readonly string[];
};

/** Of those with a key; the rest is counted. */
const providersNamedMax = 8;

export function statusRowsOf(parts: StatusParts): readonly GroupedRow[] {
  return [
    ...kedgeRows(parts),
    ...sessionRows(parts),
    ...projectRows(parts),
    ...providerRows(parts),
    ...settingRows(parts),
    ...pathRows(parts),
    ...healthRows(parts),
  ];
}

function kedgeRows({ version, connection }: StatusParts): readonly GroupedRow[] {
  const lost: Pick<GroupedRow, "value" | "tone"> = { value: "lost; reconnecting", tone: "error" };
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
    { group: "Session", label: "cost", value: costText(cost, moneyText) },
  ];
}

function projectRows({ project }: StatusParts): readonly GroupedRow[] {
  if (project === undefined) return [];
  const { directory, root, isGitRepository, isTrusted } = project;
  const untrusted: Pick<GroupedRow, "value" | "tone"> = {
    value: "not trusted; its settings and commands are ignored",
    tone: "warning",
  };
  return [
    { group: "Project", label: "directory", value: directory },
    ...(root === directory ? [] : [{ group: "Project", label: "root", value: root }]),
    { group: "Project", label: "git", value: isGitRepository ? "yes" : "no repository" },
    { group: "Project", label: "trust", ...(isTrusted ? { value: "trusted" } : untrusted) },
  ];
}

function providerRows({ providers, session }: StatusParts): readonly GroupedRow[] {
  if (providers === undefined) return [];
  const group = "Providers";
  const ready = providers.providers.filter(({ hasKey }) => hasKey);
  if (ready.length === 0) return [{ group, label: "keys", value: "none; sign in with /login", tone: "warning" }];
  const isInUse = ({ providerId }: ListedProvider) => session?.model.startsWith(`${providerId}/`) === true;
  const ordered = [...ready.filter(isInUse), ...ready.filter((provider) => !isInUse(provider))];
  const rest = ready.length - providersNamedMax;
  return [
    ...ready.filter(isInUse).flatMap(payerRows),
    ...ordered.slice(0, providersNamedMax).map(({ name, keySource = "needs no key" }) => ({
      group,
      label: name,
      value: keySource,
    })),
    ...(rest > 0 ? [{ group, label: "keys", value: `and ${rest} more; /login lists them` }] : []),
  ];
}

type ListedProvider = QueryAnswers["provider.list"]["providers"][number];

/** A key that was found in the environment may charge another account than the user thinks. */
function payerRows({ keySource = "", name }: ListedProvider): readonly GroupedRow[] {
  if (!keySource.startsWith("environment variable ")) return [];
  return [{ group: "Providers", label: "billing", value: `${name} is billed to ${keySource}`, tone: "warning" }];
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

/** Only what should be looked at. */
function healthRows({ checks = [] }: StatusParts): readonly GroupedRow[] {
  return checks.flatMap((check) => {
    const { name, state } = check;
    return state === "ok" ? [] : [{ group: "Health", label: name, value: checkText(check), tone: state }];
  });
}
