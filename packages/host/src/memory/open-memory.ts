/** Opens the memory of a project for a process; nothing of it is loaded where there is none and nobody asks. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MemoryEvent, MemoryStore } from "@kedge/memory/topics";
import type { RuleSet } from "@kedge/protocol";
import type { Project } from "../machine/project.ts";
import { isWorkspaceTrusted } from "../trust/workspace-trust.ts";
import { findMemoryPlace, type MemoryPlace, type MemoryPlaceParts, turnMemory } from "./memory-place.ts";
import type { BackgroundSettings } from "./memory-settings.ts";
import type { SessionMemory } from "./session-memory.ts";

export type ProjectMemory = {
  readonly place: MemoryPlace;
  readonly project: Pick<Project, "cwd" | "root">;
  readonly userDirectory: string;
  readonly kedgeHome: string;
  /** What the user writes before an action: `/memory` in a session, `kedge memory` in a shell. */
  readonly command: "/memory" | "kedge memory";
  readonly redact: (text: string) => string;
  readonly now: () => number;
  /** Throws where the place is refused. */
  openStore(): Promise<MemoryStore>;
  turn(state: "on" | "off"): void;
  /** Undefined where sessions have none. */
  readonly session: SessionMemory | undefined;
};

export type OpenMemoryParts = MemoryPlaceParts & {
  readonly project: Pick<Project, "projectId" | "cwd" | "root">;
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly onNotice: (sentence: string) => void;
  /** False for a run without memory. */
  readonly isWanted: boolean;
  /** Sessions are told of memory although there is none yet: somebody may say "remember". */
  readonly interactive: boolean;
  readonly rules: () => readonly RuleSet[];
  /** `/memory` without it. */
  readonly command?: ProjectMemory["command"];
  readonly background: BackgroundSettings;
};

const tokenBytes = 8;

export async function openMemory(parts: OpenMemoryParts): Promise<ProjectMemory> {
  const { project, userDirectory, redact, now, settings, randomBytes, home, rules } = parts;
  const found = await findMemoryPlace(parts);
  const place: MemoryPlace =
    parts.isWanted || found.state !== "on" ? found : { ...found, state: "off", why: "--no-memory was given" };
  if (place.state === "refused" && parts.isWanted) parts.onNotice(`Memory is off: ${place.why}.`);
  let listener: ((event: MemoryEvent) => void) | undefined;
  const openStore = async () => {
    if (place.state === "refused") throw new Error(place.why);
    const { openMemoryStore } = await import("@kedge/memory/topics");
    const newToken = () => Buffer.from(randomBytes(tokenBytes)).toString("hex");
    return openMemoryStore({
      directory: place.directory,
      now,
      newToken,
      redact,
      acceptInferred: settings.acceptInferred,
      onEvent: (event) => listener?.(event),
    });
  };
  // An interactive session makes the directory; only what was saved there concerns a run that nobody talks to.
  const hasTeam = settings.team && existsSync(join(project.root, ".kedge/team-memory"));
  const isSaved = () => place.state === "on" && existsSync(join(place.directory, "MEMORY.md"));
  const isUsed = place.state === "on" && (parts.interactive || hasTeam || isSaved());
  return {
    ...{ place, project, userDirectory, redact, now, openStore, kedgeHome: home.directory },
    command: parts.command ?? "/memory",
    turn: (state) => turnMemory(parts, state),
    session: isUsed ? await sessionMemory() : undefined,
  };

  async function sessionMemory(): Promise<SessionMemory> {
    const { createSessionMemory } = await import("./session-memory.ts");
    const workspace = { cwd: project.cwd, root: project.root, home: userDirectory };
    const isTrusted = () => isWorkspaceTrusted({ home, root: project.root, userDirectory, now });
    const team = hasTeam ? { isTrusted } : {};
    return createSessionMemory({
      ...{ store: await openStore(), redact, now, rules, workspace, ...team, settings },
      background: parts.background,
      isLearning: parts.interactive || settings.headless,
      hear: (heard) => {
        listener = heard;
      },
    });
  }
}
