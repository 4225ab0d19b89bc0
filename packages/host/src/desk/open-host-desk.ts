/** Opens the desk of the host. Loaded when the first host command, query or stream comes. */
import {
  type CommandAnswer,
  type HostCommandType,
  notFound,
  type QueryAnswer,
  type QueryOf,
  type QueryType,
} from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { createEventHub } from "@kedge/server/events";
import { createTerminals } from "@kedge/server/terminals";
import { createConfigurationDesk, type SettingsChanged } from "../configuration/configuration-desk.ts";
import { loadPtyLibrary } from "../machine/load-pty-library.ts";
import { openSignInDesk } from "../sign-in/open-sign-in-desk.ts";
import { openSharingDesk } from "./collab-desk.ts";
import type { HostDesk, HostDeskParts } from "./host-desk.ts";
import { hostHandlers } from "./host-handlers.ts";
import { createLogLines } from "./log-lines.ts";
import type { OpenDesk } from "./open-desk.ts";
import { watchStatuses } from "./open-statuses.ts";
import { queryHandlers } from "./query-handlers.ts";
import { createShellLines } from "./shell-lines.ts";

export function openHostDesk(parts: HostDeskParts): HostDesk {
  const { engine, store, project, configuration } = parts;
  const statuses = watchStatuses(engine);
  const lines = createShellLines(parts.runShellLine);
  const log = createLogLines(parts);
  const hub = createEventHub({
    ...{ engine, store, now: parts.now, boot: parts.holder.boot },
    ...{ directory: project.cwd, projectId: project.projectId },
    onFailure: (error) => log.write("error", `Could not read events: ${String(error)}`),
  });
  const liveSettings = createConfigurationDesk({ ...parts, apply: parts.applyConfiguration });
  const endWatch = liveSettings.watch((changed) => log.write("info", changeText(changed)));
  const terminals = createTerminals({
    ...parts,
    load: loadPtyLibrary,
    isAllowed: configuration.server.pty,
    root: project.root,
    // Whoever uses them sits elsewhere, so that secrets of this machine stay out of them also when a person is here.
    environment: () => childEnvironment(parts.commandEnvironment(), { scrub: true, ...configuration.env }),
  });

  const signIns = openSignInDesk({
    ...parts,
    home: parts.home.directory,
    settings: () => liveSettings.current().signIn,
    onSignedIn: parts.forgetKey,
  });
  const current = () => ({ ...parts, configuration: liveSettings.current() });
  const sharing = openSharingDesk({ ...parts, current, onNotice: (sentence) => log.write("warning", sentence) });
  const desk: OpenDesk = {
    ...parts,
    ...{ statuses, lines, log, liveSettings, terminals, signIns, sharing, current },
  };

  return {
    terminals,
    events: hub,
    // Each handler answers its own type; the compiler cannot follow the type through the look-up.
    async send(command): Promise<CommandAnswer<HostCommandType>> {
      const { type } = command;
      return Object.hasOwn(hostHandlers, type) ? hostHandlers[type](desk, command as never) : notFound("command", type);
    },
    async ask<Type extends QueryType>(query: QueryOf<Type>): Promise<QueryAnswer<Type>> {
      const { type } = query;
      if (!Object.hasOwn(queryHandlers, type)) return notFound("query", type);
      return (await queryHandlers[type](desk, query as never)) as QueryAnswer<Type>;
    },
    async close() {
      await sharing.close();
      await hub.close();
      endWatch();
      signIns.close();
      statuses.close();
      lines.close();
      await terminals.closeAll();
    },
  };
}

function changeText({ applied, waiting, warnings }: SettingsChanged): string {
  return [
    ...(applied.length > 0 ? [`Settings changed: ${applied.join(", ")}.`] : []),
    ...(waiting.length > 0 ? [`Changed settings that take effect after a restart: ${waiting.join(", ")}.`] : []),
    ...warnings.map((warning) => `${warning}.`),
  ].join(" ");
}
