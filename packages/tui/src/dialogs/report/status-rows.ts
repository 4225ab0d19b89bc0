/** What the status dialog says, from what the queries answered: what runs where, with whose key, and what is wrong. */

import { costText, type QueryAnswers, type SessionView } from "@kedge/protocol";
import type { ClientState } from "../../state/client-state.ts";
import { moneyText } from "../../status/short-figures.ts";
import { statusTexts } from "../../texts/reports.ts";
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
  const lost: Pick<GroupedRow, "value" | "tone"> = { value: statusTexts.connectionLost, tone: "error" };
  return [
    { group: statusTexts.kedge, label: statusTexts.version, value: version },
    { group: statusTexts.kedge, label: statusTexts.engine, ...(connection === "lost" ? lost : { value: connection }) },
  ];
}

function sessionRows({ session, effort }: StatusParts): readonly GroupedRow[] {
  if (session === undefined)
    return [{ group: statusTexts.session, label: statusTexts.sessionLabel, value: statusTexts.noneYet }];
  const { id, title, model, mode, cost } = session;
  return [
    { group: statusTexts.session, label: statusTexts.sessionTitle, value: title === "" ? statusTexts.noneYet : title },
    { group: statusTexts.session, label: statusTexts.sessionId, value: id },
    {
      group: statusTexts.session,
      label: statusTexts.model,
      value: effort === undefined ? model : statusTexts.modelWithEffort({ model, effort }),
    },
    { group: statusTexts.session, label: statusTexts.mode, value: mode, ...(mode === "bypass" && { tone: "warning" }) },
    { group: statusTexts.session, label: statusTexts.cost, value: costText(cost, moneyText) },
  ];
}

function projectRows({ project }: StatusParts): readonly GroupedRow[] {
  if (project === undefined) return [];
  const { directory, root, isGitRepository, isTrusted } = project;
  const untrusted: Pick<GroupedRow, "value" | "tone"> = {
    value: statusTexts.notTrusted,
    tone: "warning",
  };
  return [
    { group: statusTexts.project, label: statusTexts.directory, value: directory },
    ...(root === directory ? [] : [{ group: statusTexts.project, label: statusTexts.root, value: root }]),
    {
      group: statusTexts.project,
      label: statusTexts.git,
      value: isGitRepository ? statusTexts.isRepository : statusTexts.noRepository,
    },
    {
      group: statusTexts.project,
      label: statusTexts.trust,
      ...(isTrusted ? { value: statusTexts.trusted } : untrusted),
    },
  ];
}

function providerRows({ providers, session }: StatusParts): readonly GroupedRow[] {
  if (providers === undefined) return [];
  const group = statusTexts.providers;
  const ready = providers.providers.filter(({ hasKey }) => hasKey);
  if (ready.length === 0) return [{ group, label: statusTexts.keys, value: statusTexts.noKeys, tone: "warning" }];
  const isInUse = ({ providerId }: ListedProvider) => session?.model.startsWith(`${providerId}/`) === true;
  const ordered = [...ready.filter(isInUse), ...ready.filter((provider) => !isInUse(provider))];
  const rest = ready.length - providersNamedMax;
  return [
    ...ready.filter(isInUse).flatMap(payerRows),
    ...ordered.slice(0, providersNamedMax).map(({ name, keySource = statusTexts.needsNoKey }) => ({
      group,
      label: name,
      value: keySource,
    })),
    ...(rest > 0 ? [{ group, label: statusTexts.keys, value: statusTexts.moreKeys(rest) }] : []),
  ];
}

type ListedProvider = QueryAnswers["provider.list"]["providers"][number];

/** A key that was found in the environment may charge another account than the user thinks. */
function payerRows({ keySource = "", name }: ListedProvider): readonly GroupedRow[] {
  if (!keySource.startsWith("environment variable ")) return [];
  return [
    {
      group: statusTexts.providers,
      label: statusTexts.billing,
      value: statusTexts.billedTo({ provider: name, keySource }),
      tone: "warning",
    },
  ];
}

function settingRows({ config, settingsWarnings = [] }: StatusParts): readonly GroupedRow[] {
  const warnings = [...(config?.warnings ?? []), ...settingsWarnings];
  const files = new Map<string, number>();
  for (const { layer, file } of config?.entries ?? []) {
    if (layer === "default") continue;
    const place = file === undefined ? layer : statusTexts.settingsOfFile({ layer, file });
    files.set(place, (files.get(place) ?? 0) + 1);
  }
  return [
    ...[...files].map(([place, count]) => ({
      group: statusTexts.settings,
      label: statusTexts.settingCount(count),
      value: place,
    })),
    ...warnings.map((value) => ({
      group: statusTexts.settings,
      label: statusTexts.warning,
      value,
      tone: "warning" as const,
    })),
  ];
}

function pathRows({ paths }: StatusParts): readonly GroupedRow[] {
  if (paths === undefined) return [];
  return [
    { group: statusTexts.files, label: statusTexts.settingsFolder, value: paths.home },
    { group: statusTexts.files, label: statusTexts.sessionsFolder, value: paths.data },
  ];
}

/** Only what should be looked at. */
function healthRows({ checks = [] }: StatusParts): readonly GroupedRow[] {
  return checks.flatMap((check) => {
    const { name, state } = check;
    return state === "ok" ? [] : [{ group: statusTexts.health, label: name, value: checkText(check), tone: state }];
  });
}
