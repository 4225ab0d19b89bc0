/** What the host answers itself: its own commands, all queries, and the stream of all sessions. */
import type { Engine, LocalCommand } from "@kedge/engine";
import type { Network } from "@kedge/models";
import type {
  CommandAnswer,
  Door,
  HostCommand,
  HostCommandType,
  LeaseHolder,
  LookAtPath,
  PermissionRule,
  ReadRights,
  RuleSet,
  SaveRules,
  Snapshots,
  Store,
  Tool,
} from "@kedge/protocol";
import type { EventHub } from "@kedge/server/events";
import type { Terminals } from "@kedge/server/terminals";
import type { OpenedAgents } from "../agents/open-agents.ts";
import type { FileCare } from "../assembly/file-care.ts";
import type { Configuration } from "../configuration/load-configuration.ts";
import type { Settings } from "../configuration/setting-file.ts";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import type { OpenedMcp } from "../mcp/open-mcp.ts";
import type { ProjectMemory } from "../memory/open-memory.ts";
import type { ModelCatalogue } from "../models/model-catalogue.ts";
import type { SessionFiles } from "../sessions/session-files.ts";
import type { RunShellLine } from "../shell/shell-line.ts";
import type { LateSpending } from "../spending/late-spending.ts";

export interface HostDesk extends Pick<Door, "ask"> {
  send(command: HostCommand): Promise<CommandAnswer<HostCommandType>>;
  readonly terminals: Terminals;
  /** Of all sessions of the project. */
  readonly events: EventHub;
  /** Ends terminals, shell lines and streams. */
  close(): Promise<void>;
}

export type HostDeskParts = {
  readonly engine: Engine;
  readonly store: Store;
  readonly snapshots: Snapshots;
  readonly sessionFiles: SessionFiles;
  readonly modelCatalogue: ModelCatalogue;
  readonly network: Network;
  /** Ends the wait of a session before it asks its vendor again; false where nothing waits. */
  readonly hastenRetry: (sessionId: string) => boolean;
  readonly commands: () => Promise<readonly Pick<LocalCommand, "name" | "summary" | "argumentHint" | "parameters">[]>;
  /** Undefined where no server is configured and none may join. */
  readonly mcp: OpenedMcp | undefined;
  /** Undefined where they are switched off. */
  readonly agents: OpenedAgents | undefined;
  /** Undefined where nothing is limited. */
  readonly spending: Pick<LateSpending, "budgets"> | undefined;
  readonly memory: Pick<ProjectMemory, "place" | "openStore">;
  readonly newTools: () => readonly Tool[];
  readonly runShellLine: RunShellLine;
  readonly fileCare: FileCare;
  readonly configuration: Configuration;
  /** The settings it was made of. */
  readonly settings: Settings;
  /** Files of settings given on the command line. */
  readonly settingFiles: readonly string[];
  /** Told what counts from now on, when settings change while this runs. */
  readonly applyConfiguration: (configuration: Configuration, when: "at once" | "on reload") => void;
  readonly home: Home;
  readonly project: Project;
  readonly userDirectory: string;
  readonly shellPath: string;
  readonly holder: LeaseHolder;
  readonly kedgeVersion: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Told of a new key, so that it can be taken out of texts. */
  readonly onKey: (key: string) => void;
  /** Told when the stored key of a provider changed, so that the next run uses it. */
  readonly forgetKey: (providerId: string) => void;
  /** Where an output of a session lies that was too long for its result. */
  readonly artifactPath: (sessionId: string, number: number) => string | undefined;
  readonly now: () => number;
  readonly newId: (prefix: string) => string;
  readonly redact: (text: string) => string;
  /** What a command of the user or the agent finds in its environment. */
  readonly commandEnvironment: () => { readonly [name: string]: string };
  readonly saveRules: SaveRules;
  /** Takes an allow rule out of the file that `saveRules` writes. */
  readonly removeSavedRule: (rule: PermissionRule) => ReturnType<SaveRules>;
  readonly lookAtPath: LookAtPath;
  /** Which files may be shown to whoever asks. */
  readonly reading: ReadRights;
  /** Those of files and command line, in the order of their sources. */
  readonly rules: { readonly list: () => readonly RuleSet[]; readonly replace: (sets: readonly RuleSet[]) => void };
};
