/** A worker in a process of its own: its session, its loop, and its end when nobody leads it any more. */
import {
  isSealedBy,
  lastBeatMs,
  leaderName,
  readTeamFile,
  startWorker,
  teamPaths,
  type WorkerEnd,
  watchBeats,
} from "@kedge/agents/teams";
import { type Answer, refused } from "@kedge/protocol";
import { isAlive } from "../machine/identity.ts";
import type { Launch } from "./launch.ts";
import { memberProfile } from "./member-outfit.ts";
import { followPlanning, isPlanning } from "./planning-member.ts";
import { createRemoteLeader } from "./remote-leader.ts";
import { openMailboxes, openTeamTasks, type TeamParts, tasksFor } from "./team-parts.ts";
import { createTeamPost } from "./team-post.ts";
import { createPause, followWorker } from "./worker-session.ts";
import { workerTasks } from "./worker-tasks.ts";

export type Teammate = {
  readonly sessionId: string;
  readonly ended: Promise<WorkerEnd>;
  /** Words of the user in the pane. */
  type(text: string): Promise<void>;
  interrupt(): Promise<void>;
  write(to: string, text: string): Promise<readonly string[] | undefined>;
  answerShutdown(answer: { readonly isApproved: boolean; readonly reason: string }): boolean;
  readonly name: string;
};

export async function startTeammate(parts: TeamParts, launch: Launch, signal: AbortSignal): Promise<Answer<Teammate>> {
  const { engine, desk, registry, now, onNotice } = parts;
  const { team, name, agentId, agent, timing, keys, leader, plansFirst } = launch;
  const definition = (await desk.table()).find(agent);
  if (definition === undefined) return refused((await desk.table()).unknown(agent));
  const paths = teamPaths(parts.home, team);
  const mailboxes = openMailboxes(parts);
  const tasks = openTeamTasks(paths);
  const newId = () => parts.newId("per_");
  const post = createTeamPost({
    paths,
    mailboxes,
    name,
    now,
    newId,
    redact: parts.redact,
    privateKey: keys.privateKey,
  });
  const remote = createRemoteLeader({ launch, send: post.send, onNotice });
  const base = parts.profileFor({ kind: "create", sessionId: agentId });
  const worktree = launch.isIsolated ? await parts.openWorktree(agentId, base) : undefined;
  if (worktree?.ok === false) return worktree;
  const above = { ...(worktree?.value.profile ?? base), interactive: launch.interactive };
  const narrowed = await desk.narrowed(definition, above, { agentId, depth: 1, name, isBackground: true });
  const profile = memberProfile(narrowed, { name, team, questionMs: timing.questionMs, plansFirst });
  registry.seat(agentId, { team, member: name, tasks: tasksFor(name, tasks) });
  const opened = await engine.send<"session.create">(
    {
      type: "session.create",
      sessionId: agentId,
      parent: { sessionId: leader.sessionId },
      model: launch.model,
      mode: plansFirst ? "plan" : leader.mode,
    },
    { profile, leader: remote.leader },
  );
  if (!opened.ok) return opened;
  const unfollow = plansFirst ? followPlanning(engine, agentId, remote.leader.mode) : () => undefined;
  const { nudge, pause } = createPause(timing.pollMs);
  const session = followWorker(engine, agentId, { options: { stepsMax: definition.maxTurns }, onTurnEnd: nudge });
  const inbox = paths.inbox(name);

  const isHeard = watchBeats(() => lastBeatMs(paths), { silenceMs: timing.heartbeatMs, now: () => performance.now() });
  const isLeaderAlive = () => isHeard() && isAlive(leader.process);

  const task = worktree === undefined ? launch.prompt : `${worktree.value.notice}\n\n${launch.prompt}`;
  const worker = startWorker(task, {
    ...{ name, team, session, pause, now, signal, isLeaderAlive, shutdownMs: timing.shutdownMs },
    unread: () => mailboxes.unread(inbox),
    markRead: (ids) => mailboxes.markRead(inbox, ids),
    isOfLeader: (letter) => letter.from === leaderName && letter.to === name && isSealedBy(letter, leader.publicKey),
    report: (message) => post.send(leaderName, message),
    tasks: workerTasks(name, tasks),
    async onControl(message) {
      remote.heard(message);
      // The engine holds it below the leader in any case. Only an approved plan ends planning.
      if (message.type === "mode_set" && !(plansFirst && isPlanning(engine, agentId)))
        await engine.send<"mode.change">({ type: "mode.change", sessionId: agentId, mode: remote.leader.mode() });
    },
    beforeRest: () => parts.teammateIdle({ sessionId: agentId, teammate: name, team }, signal),
    onDropped: onNotice,
  });
  const ended = worker.ended.finally(async () => {
    unfollow();
    session.close();
    registry.leave(agentId);
    await worktree?.value.leave();
  });
  return {
    ok: true,
    value: {
      ...{ sessionId: agentId, name, ended, interrupt: session.interrupt },
      async type(text) {
        await post.send(leaderName, { type: "user_input", text });
        await session.instruct(text);
      },
      async write(to, text) {
        const members = readTeamFile(paths)?.members.filter(({ state }) => state !== "ended") ?? [];
        const { receiversOf } = await import("./leader-team.ts");
        const reached = receiversOf(
          to,
          name,
          members.map((member) => member.name),
        );
        for (const member of reached) await post.write(member, text);
        return reached.length === 0 ? undefined : reached;
      },
      answerShutdown(answer) {
        const isAsked = worker.answerShutdown(answer);
        nudge();
        return isAsked;
      },
    },
  };
}
