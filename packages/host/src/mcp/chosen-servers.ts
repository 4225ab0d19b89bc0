/** Reads the captured files of servers and says which of them are used here. */
import { dirname, resolve } from "node:path";
import { chooseServers, type McpServer, type ReadServers, readServers } from "@kedge/extend/mcp-servers";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import type { CapturedServers } from "./capture-servers.ts";
import type { ServerFile } from "./server-file.ts";

export type ChosenServersParts = {
  readonly captured: Pick<CapturedServers, "files" | "lists">;
  /** Of programs and editors, for as long as this runs. */
  readonly dynamic?: readonly McpServer[];
  readonly isApproved: (server: McpServer) => boolean;
  readonly environment: { readonly [name: string]: string | undefined };
  /** What a project may read: without secrets. */
  readonly scrubbed: () => { readonly [name: string]: string };
  readonly userDirectory: string;
};

export function chosenServers({ captured, dynamic = [], isApproved, ...machine }: ChosenServersParts): ReadServers {
  const found = captured.files.map((file) => readServers(file.servers, { ...file, ...variablesOf(file, machine) }));
  return chooseServers({ found: [{ servers: dynamic, unused: [] }, ...found], lists: captured.lists, isApproved });
}

type Machine = Pick<ChosenServersParts, "environment" | "scrubbed" | "userDirectory">;

/** Neither a project nor the managed policy reads secrets or files of the user. */
function variablesOf({ scope, path }: ServerFile, { environment, scrubbed, userDirectory }: Machine) {
  if (scope === "project" || scope === "local" || scope === "enterprise") {
    const harmless = scrubbed();
    return { variable: (name: string) => harmless[name] };
  }
  return {
    variable: (name: string) => environment[name],
    readFile(target: string) {
      const expanded = target.startsWith("~/") ? resolve(userDirectory, target.slice(2)) : target;
      const read = readSettingsText(resolve(dirname(path), expanded));
      return read.ok ? read.text.trim() : undefined;
    },
  };
}
