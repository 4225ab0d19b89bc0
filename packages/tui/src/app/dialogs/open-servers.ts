/** Opens the dialog of MCP servers, and carries out what is chosen in it. */

import { createServerDialog, type ServerAction } from "../../dialogs/server/server-dialog.ts";
import { serverDetails } from "../../dialogs/server/server-rows.ts";
import { serverTexts } from "../../texts/dialogs.ts";
import { failureText } from "../told-texts.ts";
import { ask } from "./asked.ts";
import type { DialogParts } from "./dialog-parts.ts";
import { openText } from "./info-dialogs.ts";

export function openServers(parts: DialogParts): void {
  const { client, dialogs, look, desk, notice, redraw, state } = parts;
  const listed = ask(() => client.ask<"mcp.list">({ type: "mcp.list" }), redraw);
  let known = state().servers;

  /** Events tell states alone, so the list is asked for again with each. */
  function servers() {
    if (state().servers !== known) {
      known = state().servers;
      listed.again();
    }
    return listed.value()?.servers;
  }

  function read(name: string, show: (server: { readonly [name: string]: unknown }, log: string) => void): void {
    void client.ask<"mcp.read">({ type: "mcp.read", name }).then((answer) => {
      if (answer.ok) show(answer.value.server, answer.value.log);
      else notice("error", failureText(answer.failure));
    });
  }

  async function act(action: ServerAction, name: string): Promise<void> {
    if (action === "authorise") {
      const begun = await desk().send<"mcp.authorise">({ type: "mcp.authorise", name });
      if (begun.ok) notice("info", begun.value.text);
    } else {
      const type = `mcp.${action}` as const;
      await desk().send<typeof type>({ type, name });
      // Whoever approves a server wants to use it.
      if (action === "approve") await desk().send<"mcp.connect">({ type: "mcp.connect", name });
    }
    listed.again();
  }

  dialogs.open(
    createServerDialog({
      servers,
      problem: listed.problem,
      theme: look.theme,
      onOpen: (name) => read(name, (server) => openText(parts, name, serverDetails(server))),
      onLog: (name) =>
        read(name, (_, log) => openText(parts, serverTexts.logTitle(name), log === "" ? serverTexts.emptyLog : log)),
      onAct: (action, name) => void act(action, name),
    }),
  );
}
