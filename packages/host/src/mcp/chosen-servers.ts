/** Reads the captured files of servers and says which of them are used here. */
import { basename, dirname, resolve, sep } from "node:path";
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
  readonly projectRoot: string;
};

export function chosenServers({ captured, dynamic = [], isApproved, ...machine }: ChosenServersParts): ReadServers {
  const found = captured.files.map((file) => readServers(file.servers, { ...file, ...variablesOf(file, machine) }));
  return chooseServers({ found: [{ servers: dynamic, unused: [] }, ...found], lists: captured.lists, isApproved });
}

type Machine = Pick<ChosenServersParts, "environment" | "scrubbed" | "userDirectory" | "projectRoot">;

/** Neither a project nor the managed policy reads secrets or files of the user. */
function variablesOf({ scope, path }: ServerFile, { environment, scrubbed, ...places }: Machine) {
  const { userDirectory } = places;
  const named = placeVariables(places);
  if (scope === "project" || scope === "local" || scope === "enterprise") {
    const harmless = scrubbed();
    return { variable: (name: string) => harmless[name] ?? named[name] };
  }
  return {
    variable: (name: string) => environment[name] ?? named[name],
    readFile(target: string) {
      const expanded = target.startsWith("~/") ? resolve(userDirectory, target.slice(2)) : target;
      const read = readSettingsText(resolve(dirname(path), expanded));
      return read.ok ? read.text.trim() : undefined;
    },
  };
}

/** Names that editors and other agents have for places, as their files use them. */
export function placeVariables({
  projectRoot,
  userDirectory,
}: Pick<ChosenServersParts, "projectRoot" | "userDirectory">): { readonly [name: string]: string } {
  return {
    workspaceFolder: projectRoot,
    workspaceFolderBasename: basename(projectRoot),
    workspaceRoot: projectRoot,
    CLAUDE_PROJECT_DIR: projectRoot,
    userHome: userDirectory,
    pathSeparator: sep,
  };
}
