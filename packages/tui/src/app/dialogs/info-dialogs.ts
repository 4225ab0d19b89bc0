/** Dialogs that tell: help, status, cost, context, statistics, and long texts. */

import type { Client, QueryType } from "@kedge/protocol";
import { slashCommands } from "../../commands/command-table.ts";
import { createContextDialog } from "../../dialogs/report/context-dialog.ts";
import { createCostDialog } from "../../dialogs/report/cost-dialog.ts";
import { createHelpDialog } from "../../dialogs/report/help-dialog.ts";
import { createStatsDialog, type Stats, statsDays } from "../../dialogs/report/stats-dialog.ts";
import { createStatusDialog } from "../../dialogs/report/status-dialog.ts";
import { statusRowsOf } from "../../dialogs/report/status-rows.ts";
import { actionNames, actions } from "../../keys/actions.ts";
import { createRemembered } from "../../screen/remembered.ts";
import { viewNoticeTexts } from "../../texts/commands.ts";
import { createPager } from "../../transcript/pager.ts";
import { type Answer, ask } from "./asked.ts";
import type { DialogParts } from "./dialog-parts.ts";

const sessionsCounted = 1_000;

export function openHelp({ dialogs, keybinds, look }: DialogParts, query?: string): void {
  dialogs.open(
    createHelpDialog({
      actions: actionNames.map((name) => ({
        name,
        group: actions[name].group,
        summary: actions[name].summary,
        keys: keybinds.keysOf(name),
      })),
      commands: slashCommands,
      theme: look.theme,
      ...(query !== undefined && { query }),
    }),
  );
}

export function openStatus(parts: DialogParts): void {
  const { client, dialogs, look, state, redraw } = parts;
  const asked = <
    Type extends QueryType & ("project.read" | "path.read" | "provider.list" | "config.read" | "doctor.run"),
  >(
    type: Type,
  ) => ask(() => client.ask<Type>({ type } as Parameters<typeof client.ask<Type>>[0]), redraw);
  const project = asked("project.read");
  const paths = asked("path.read");
  const providers = asked("provider.list");
  const config = asked("config.read");
  // Looks at programs and the disk, and so comes last; who may not ask sees the rest.
  const doctor = asked("doctor.run");
  const remembered = createRemembered<ReturnType<typeof statusRowsOf>>();
  dialogs.open(
    createStatusDialog({
      theme: look.theme,
      problem: project.problem,
      rows() {
        const { connection, session, effort } = state();
        const checks = doctor.value()?.checks;
        const answers = [project.value(), paths.value(), providers.value(), config.value(), checks];
        return remembered([connection, session, effort, ...answers], () =>
          statusRowsOf({
            ...{ version: parts.parts.version, connection, session, effort },
            ...{ project: project.value(), paths: paths.value(), providers: providers.value(), config: config.value() },
            ...{ checks, settingsWarnings: parts.settingsWarnings() },
          }),
        );
      },
    }),
  );
}

export function openCost({ client, dialogs, look, state, redraw }: DialogParts): void {
  const sessionId = state().session?.id ?? "";
  const cost = ask(() => client.ask<"session.cost">({ type: "session.cost", sessionId }), redraw);
  dialogs.open(createCostDialog({ cost: cost.value, problem: cost.problem, theme: look.theme }));
}

export function openContext({ client, dialogs, look, state, redraw }: DialogParts): void {
  const sessionId = state().session?.id ?? "";
  const context = ask(() => client.send<"context.inspect">({ type: "context.inspect", sessionId }), redraw);
  dialogs.open(createContextDialog({ context: context.value, problem: context.problem, theme: look.theme }));
}

export function openStats({ client, dialogs, look, parts, redraw }: DialogParts): void {
  const stats = ask(() => readStats(client), redraw);
  dialogs.open(createStatsDialog({ stats: stats.value, problem: stats.problem, now: parts.now, theme: look.theme }));
}

/** What everything cost is for those who may approve; all others see the sessions. */
async function readStats(client: Client): Promise<Answer<Stats>> {
  const read = await client.ask<"usage.read">({ type: "usage.read", days: statsDays });
  if (read.ok) return { ok: true, value: { kind: "usage", usage: read.value } };
  const sessions = await client.sessions({ limit: sessionsCounted });
  return { ok: true, value: { kind: "sessions", sessions } };
}

/** A patch is shown as a diff, one file below the other. */
export function openPatch({ dialogs, look }: DialogParts, patch: string): void {
  const lines = look.createDiff(patch, "").render(pagerColumns);
  dialogs.open(createPager({ title: viewNoticeTexts.changesTitle, content: { lines }, theme: look.theme }));
}

const pagerColumns = 110;

export function openText({ dialogs, look }: DialogParts, title: string, text: string): void {
  dialogs.open(createPager({ title, content: { text }, theme: look.theme }));
}
