/** What tools want of teams. The host answers it. */
import type { Answer } from "@kedge/protocol";

/** A worker that is wanted in a team. */
export type MemberOrder = {
  readonly name: string;
  readonly prompt: string;
  readonly agent?: string;
  readonly description?: string;
  readonly model?: string;
  readonly isolation?: "worktree";
  /** It changes nothing before a person has approved its plan. */
  readonly plan?: boolean;
  /** Not in a pane, although there are panes. */
  readonly backend?: "in-process";
};

export type TeamOrder = {
  readonly name: string;
  readonly description: string;
  readonly members: readonly MemberOrder[];
};

/** What tools do with teams. */
export interface TeamTools {
  /** Belongs to a team; answered without loading anything. */
  isMember(sessionId: string): boolean;
  create(sessionId: string, order: TeamOrder): Promise<Answer<{ readonly text: string }>>;
  add(
    sessionId: string,
    team: string,
    member: MemberOrder,
  ): Promise<Answer<{ readonly text: string; readonly agentId: string; readonly name: string }>>;
  /** Words to a member, `leader` or `*`; undefined where nobody in the team is called so. */
  write(sessionId: string, to: string, text: string): Promise<Answer<{ readonly text: string }> | undefined>;
  answerShutdown(
    sessionId: string,
    answer: { readonly isApproved: boolean; readonly reason: string },
  ): Promise<Answer<{ readonly text: string }>>;
  end(sessionId: string, force: boolean): Promise<Answer<{ readonly text: string }>>;
}
