/** A worker in the process of its leader: an agent that stays, and the loop that serves it. */
import { isSealedBy, leaderName, releaseTasks, startWorker } from "@kedge/agents/teams";
import type { Answer } from "@kedge/protocol";
import { memberProfile } from "./member-outfit.ts";
import { followPlanning } from "./planning-member.ts";
import type { LiveMember, Start } from "./team-member.ts";
import { findOpen, tasksFor } from "./team-parts.ts";
import { createTeamPost } from "./team-post.ts";
import { createPause, followWorker } from "./worker-session.ts";
import { workerTasks } from "./worker-tasks.ts";

export async function startInProcess(start: Start): Promise<Answer<LiveMember>> {
  const { parts, timing, paths, mailboxes, tasks, team, leaderId, leaderKey, keys, order, onReport } = start;
  const { desk, engine, registry, now } = parts;
  // Its own, so that interrupting the leader leaves it at work.
  const lifecycle = new AbortController();
  const { name, agent, prompt, description = prompt, model, isolation, plan: plansFirst = false } = order;
  const started = await desk.runs.start(
    {
      ...{ agent, prompt, description: description.split("\n", 1)[0]?.slice(0, 100) ?? name, name, isBackground: true },
      ...(model !== undefined && { model }),
      ...(isolation !== undefined && { isolation }),
      resident: {
        outfit(profile, agentId) {
          registry.seat(agentId, { team, member: name, tasks: tasksFor(name, tasks) });
          return memberProfile(profile, { name, team, questionMs: timing.questionMs, plansFirst });
        },
      },
    },
    { sessionId: leaderId },
    lifecycle.signal,
  );
  if (!started.ok) return started;
  const { agentId, ended } = started.value;
  const leaderMode = () => findOpen(engine, leaderId)?.state.mode ?? "default";
  const unfollow = plansFirst ? followPlanning(engine, agentId, leaderMode) : () => undefined;
  const post = createTeamPost({ ...{ paths, mailboxes, name, now }, privateKey: keys.privateKey, ...postParts(start) });
  const { nudge, pause } = createPause(timing.pollMs);
  const definition = (await desk.table()).find(agent);
  const options = definition === undefined ? {} : { stepsMax: definition.maxTurns };
  const session = followWorker(engine, agentId, { options, onTurnEnd: nudge });
  const inbox = paths.inbox(name);
  const worker = startWorker(undefined, {
    ...{ name, team, session, pause, now, signal: lifecycle.signal, shutdownMs: timing.shutdownMs },
    unread: () => mailboxes.unread(inbox),
    markRead: (ids) => mailboxes.markRead(inbox, ids),
    isOfLeader: (letter) => letter.from === leaderName && letter.to === name && isSealedBy(letter, leaderKey),
    async report(message) {
      await post.send(leaderName, message);
      onReport();
    },
    tasks: workerTasks(name, tasks),
    // The engine asks in the session of the leader, with its rules and its mode.
    onControl: () => undefined,
    isLeaderAlive: () => true,
    beforeRest: () => parts.teammateIdle({ sessionId: agentId, teammate: name, team }, lifecycle.signal),
    onDropped: parts.onNotice,
  });
  void worker.ended.then(async (why) => {
    if (why === "shutdown") await desk.runs.dismiss(agentId);
  });
  const over = ended.then(async ({ status, why }) => {
    lifecycle.abort();
    session.close();
    unfollow();
    await worker.ended.catch(() => undefined);
    registry.leave(agentId);
    await tasks.change((all) => ({ ok: true, tasks: releaseTasks(all, (owner) => owner === name), result: {} }));
    return why ?? status;
  });
  return {
    ok: true,
    value: {
      ...{ agentId, name, nudge, post, ended: over, place: { backend: "in-process" } },
      look: async () => undefined,
      async kill() {
        await desk.runs.kill(agentId);
        await over;
      },
      dismissed: () => undefined,
      answerShutdown(answer) {
        const isAsked = worker.answerShutdown(answer);
        nudge();
        return isAsked;
      },
    },
  };
}

function postParts({ parts: { redact, newId } }: Start) {
  return { redact, newId: () => newId("per_") };
}
