/** One worker of a team, as its leader has it: the same for one in this process and one in a pane. */
import type { MemberOrder } from "@kedge/agents";
import type { Mailboxes, SealKeys, ShutdownAnswer, TeamMember, TeamPaths } from "@kedge/agents/teams";
import type { TaskList } from "@kedge/tools";
import type { TeamParts, TeamTiming } from "./team-parts.ts";
import type { TeamPost } from "./team-post.ts";

/** What a worker is started with. */
export type Start = {
  readonly parts: TeamParts;
  readonly timing: TeamTiming;
  readonly paths: TeamPaths;
  readonly mailboxes: Mailboxes;
  readonly tasks: TaskList;
  readonly team: string;
  readonly leaderId: string;
  /** Those of the leader are needed only to check its seals. */
  readonly leaderKey: string;
  readonly keys: SealKeys;
  readonly order: MemberOrder & { readonly agent: string };
  /** The leader has mail. */
  readonly onReport: () => void;
};

export type LiveMember = {
  readonly agentId: string;
  readonly name: string;
  readonly place: Pick<TeamMember, "backend" | "paneId" | "process">;
  /** Resolves once, when its end is stored. Says why it ended. */
  readonly ended: Promise<string>;
  /** Looks whether it still lives; for those whose end nobody else tells. */
  look(): Promise<void>;
  /** It has mail. */
  nudge(): void;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** It has approved its shutdown, and will be gone in a moment. */
  dismissed(): void;
  answerShutdown(answer: ShutdownAnswer): boolean;
  /** Writes in its name; absent where it does so itself, in a process of its own. */
  readonly post?: TeamPost;
};
