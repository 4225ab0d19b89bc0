/** Opens dialogs by their name, with what the engine knows at the moment. */

import { permissionModes } from "@kedge/protocol";
import type { DialogName } from "../../commands/command-context.ts";
import { slashCommands } from "../../commands/command-table.ts";
import { type PaletteValue, paletteId, paletteItems } from "../../commands/palette-items.ts";
import { findCommand, isArgumentNeeded } from "../../commands/slash-command.ts";
import { createListDialog } from "../../dialogs/list/list-dialog.ts";
import { actionNames, actions, isAction } from "../../keys/actions.ts";
import { createRemembered } from "../../screen/remembered.ts";
import { pagerTexts } from "../../texts/conversation.ts";
import { paletteTexts } from "../../texts/palette.ts";
import { ask, readValue } from "./asked.ts";
import { type DialogParts, openClosing } from "./dialog-parts.ts";
import { openContext, openCost, openHelp, openPatch, openStats, openStatus, openText } from "./info-dialogs.ts";
import { openMemoryInbox } from "./memory-inbox.ts";
import { openAgents } from "./open-agents.ts";
import { openServers } from "./open-servers.ts";
import {
  chooseModel,
  openModels,
  openModes,
  openProviders,
  openRewind,
  openRules,
  openSessions,
  openTasks,
  openThemes,
  openTree,
} from "./picker-dialogs.ts";

export function openDialog(parts: DialogParts, name: DialogName, argument?: string): void {
  switch (name) {
    case "palette":
      openPalette(parts);
      return;
    case "help":
      openHelp(parts, argument);
      return;
    case "models":
      openModels(parts);
      return;
    case "modes":
      openModes(parts);
      return;
    case "sessions":
      openSessions(parts, argument === undefined ? {} : { query: argument });
      return;
    case "pick":
      openSessions(parts, { ...(parts.parts.pick !== undefined && { wish: parts.parts.pick }) });
      return;
    case "tree":
      openTree(parts, argument);
      return;
    case "rewind":
      openRewind(parts);
      return;
    case "themes":
      openThemes(parts);
      return;
    case "status":
      openStatus(parts);
      return;
    case "cost":
      openCost(parts);
      return;
    case "context":
      openContext(parts);
      return;
    case "stats":
      openStats(parts);
      return;
    case "permissions":
      openRules(parts);
      return;
    case "tasks":
      openTasks(parts);
      return;
    case "agents":
      openAgents(parts);
      return;
    case "memory-inbox":
      openMemoryInbox(parts);
      return;
    case "servers":
      openServers(parts);
      return;
    case "providers":
      openProviders(parts, argument);
      return;
    case "diff":
      openPatch(parts, argument ?? "");
      return;
    case "pager":
      openText(parts, pagerTexts.title, argument ?? "");
      return;
  }
}

const paletteSessions = 50;

function openPalette(parts: DialogParts): void {
  const { client, dialogs, look, keybinds, choices, redraw } = parts;
  const providers = ask(() => client.ask<"provider.list">({ type: "provider.list" }), redraw);
  const sessions = ask(() => readValue(client.sessions({ limit: paletteSessions })), redraw);
  const engineCommands = ask(() => client.ask<"command.list">({ type: "command.list" }), redraw);
  const shownActions = actionNames.map((name) => ({
    name,
    summary: actions[name].summary,
    keys: keybinds.keysOf(name),
  }));
  const recent = choices.of("palette");
  const remembered = createRemembered<ReturnType<typeof paletteItems>>();
  openClosing(dialogs, (close) =>
    createListDialog<PaletteValue>({
      title: paletteTexts.title,
      theme: look.theme,
      emptyText: paletteTexts.noMatches,
      hint: paletteTexts.close,
      widthWished: 90,
      items: () =>
        remembered([providers.value(), sessions.value(), engineCommands.value()], () => {
          const withKey = providers.value()?.providers.filter(({ hasKey }) => hasKey) ?? [];
          return paletteItems({
            commands: slashCommands,
            engineCommands: engineCommands.value()?.commands ?? [],
            actions: shownActions,
            models: withKey.flatMap(({ models }) => models),
            sessions: sessions.value() ?? [],
            modes: permissionModes.filter((mode) => mode !== "bypass"),
            themes: look.themes.names(),
            recent,
          });
        }),
      onChoose(value) {
        close();
        choices.take("palette", paletteId(value));
        carryOut(parts, value);
      },
    }),
  );
}

function carryOut(parts: DialogParts, value: PaletteValue): void {
  switch (value.kind) {
    case "command": {
      const command = findCommand(slashCommands, value.name);
      const isUnfinished = command !== undefined && isArgumentNeeded(command);
      isUnfinished ? parts.offerText(`/${value.name} `) : parts.run(`/${value.name}`);
      return;
    }
    case "action":
      isAction(value.name) ? parts.perform(value.name) : undefined;
      return;
    case "model":
      return void chooseModel(parts, value.model);
    case "session":
      return void parts.desk().switchTo(value.sessionId);
    case "mode":
      return void parts.desk().changeMode(value.mode);
    case "theme":
      parts.context.setTheme(value.name);
      return;
  }
}
