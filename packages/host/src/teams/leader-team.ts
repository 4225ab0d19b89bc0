/** A team from the side of its leader: takes in members, looks into its mailbox, says that it lives, and ends. */
import type { MemberOrder } from "@kedge/agents";
import {
  type Backends,
  beat,
  claimNext,
  isTeamName,
  leaderName,
  makeTeamFolders,
  membersMax,
  nameRule,
  type ProtocolMessage,
  releaseTasks,
  type TeamMember,
  teamPaths,
} from "@kedge/agents/teams";
import { type Answer, FailureError, refused, type SessionState, toolCalls } from "@kedge/protocol";
import type { Task } from "@kedge/tools";
import { followLeader } from "./follow-leader.ts";
import { startInProcess } from "./in-process-member.ts";
import { createLeaderInbox } from "./leader-inbox.ts";
import { createLeaderQuestions } from "./leader-questions.ts";
import { startInPane } from "./pane-member.ts";
import {
  findOpen,
  newSealKeys,
  openMailboxes,
  openTeamTasks,
  type TeamParts,
  tasksFor,
  teamTiming,
} from "./team-parts.ts";
import { createTeamPost } from "./team-post.ts";
import { createRoster, type RosterMember } from "./team-roster.ts";
import { createTeamStop, killMember, type StopReport } from "./team-stop.ts";
import { createPause } from "./worker-session.ts";

export type TeamStart = {
  readonly name: string;
  readonly description: string;
  readonly leaderId: string;
  readonly backends: Backends;
};

export type LeaderTeam = ReturnType<typeof startLeaderTeam>;

export function startLeaderTeam(parts: TeamParts, start: TeamStart) {
  const { name, leaderId } = start;
  const site = openSite(parts, start);
  const { paths, mailboxes, tasks, post, roster, nudge } = site;
  const stopping = new AbortController();

  async function send(to: string, message: ProtocolMessage): Promise<void> {
    await post.send(to, message);
    roster.find(to)?.live.nudge();
  }

  site.assigned.tell = ({ id, subject }, owner) => {
    if (roster.find(owner) === undefined) return;
    const summary = subject.slice(0, 200);
    void send(owner, { type: "task_assignment", taskId: id, summary }).catch(() => undefined);
  };
  const questions = createLeaderQuestions({ ...parts, leaderId, answer: send });
  const shutdown = createTeamStop({ roster, send, newId: () => parts.newId("per_") });
  const inbox = paths.inbox(leaderName);
  const look = createLeaderInbox({
    ...{ questions, tasks, onNotice: parts.onNotice, onState: roster.change },
    unread: () => mailboxes.unread(inbox),
    markRead: (ids) => mailboxes.markRead(inbox, ids),
    member: roster.known,
    now: parts.now,
    onShutdown: (member, { requestId, ...answer }) => shutdown.answered(member, requestId, answer),
    onStop: () => void stop({ force: false, reason: "The user ends the team." }),
    async tell({ id, from, text }) {
      const open = findOpen(parts.engine, leaderId);
      const fromId = roster.known(from)?.info.agentId ?? from;
      await open?.record({ type: "mail.received", messageId: id, fromId, from, text });
      open?.wake();
    },
  });
  const unfollow = followLeader(parts.engine, leaderId, (message) => {
    for (const { info } of roster.list()) {
      // One in this process is judged by the session of the leader itself.
      if (info.backend !== "in-process") void send(info.name, message).catch(() => undefined);
    }
  });

  async function stop(wish: { readonly force: boolean; readonly reason: string }): Promise<StopReport> {
    const report = await shutdown.stop(wish);
    if (roster.list().length === 0) end();
    return report;
  }

  function end(): void {
    if (!roster.end()) return;
    stopping.abort();
    unfollow();
  }

  function leave(member: string, why: string): void {
    roster.leave(member, why);
    questions.forget({ name: member });
    shutdown.forget(member);
  }

  const leading = lead({ parts, site, leaderId, look, stop, signal: stopping.signal });
  return {
    ...{ name, leaderId, stop, tasks, nudge, file: roster.file },
    async add(order: MemberOrder): Promise<Answer<TeamMember>> {
      const started = await startMember(parts, start, site, order);
      if (started.ok) void started.value.live.ended.then((why) => leave(started.value.info.name, why));
      return started.ok ? { ok: true, value: started.value.info } : started;
    },
    /** Undefined where nobody is called so. In the name of whoever writes: only words of the leader are instructions. */
    async write(from: string, to: string, text: string): Promise<readonly string[] | undefined> {
      const sender = from === leaderName ? post : roster.find(from)?.live.post;
      const reached = receiversOf(
        to,
        from,
        roster.list().map(({ info }) => info.name),
      );
      if (sender === undefined || reached.length === 0) return undefined;
      for (const member of reached) {
        await sender.write(member, text);
        if (member === leaderName) nudge();
        else roster.find(member)?.live.nudge();
      }
      return reached;
    },
    member: (agentId: string) => roster.list().find(({ info }) => info.agentId === agentId),
    interrupt: (member: string) => send(member, { type: "interrupt" }),
    /** What nobody owns any more is free again; called before the first member joins. */
    async release(): Promise<void> {
      await tasks.change((all) => ({ ok: true, tasks: releaseTasks(all, () => true), result: {} }));
    },
    async close(): Promise<void> {
      await Promise.allSettled(roster.list().map(killMember));
      end();
      await leading;
    },
  };
}

type Site = ReturnType<typeof openSite>;

function openSite(parts: TeamParts, { name, description, leaderId }: TeamStart) {
  const { now, redact, registry, holder, root } = parts;
  const timing = { ...teamTiming, ...parts.timing };
  const paths = teamPaths(parts.home, name);
  makeTeamFolders(paths);
  const mailboxes = openMailboxes(parts);
  const keys = newSealKeys();
  const tasks = openTeamTasks(paths);
  const newId = () => parts.newId("per_");
  const sealed = { paths, mailboxes, name: leaderName, privateKey: keys.privateKey };
  const leader = { sessionId: leaderId, process: holder };
  /** Who is told of a task that the leader gave away; known once there is a way to write. */
  const assigned: { tell?: (task: Task, owner: string) => void } = {};
  const head = { name, description, leader, root, createdAt: now(), publicKey: keys.publicKey };
  return {
    ...{ timing, paths, mailboxes, keys, tasks, ...createPause(timing.pollMs) },
    post: createTeamPost({ ...sealed, now, newId, redact }),
    roster: createRoster({
      ...{ paths, head, registry, now },
      tasks: tasksFor(leaderName, tasks, (task, owner) => assigned.tell?.(task, owner)),
    }),
    assigned,
  };
}

async function startMember(
  parts: TeamParts,
  { name: team, leaderId, backends }: TeamStart,
  { timing, paths, mailboxes, tasks, keys: own, roster, nudge }: Site,
  order: MemberOrder,
): Promise<Answer<RosterMember>> {
  if (!isTeamName(order.name) || order.name === leaderName)
    return refused(`${JSON.stringify(order.name)} is not a valid teammate name.`, nameRule);
  if (roster.list().length >= membersMax) return refused(`A team has at most ${membersMax} teammates.`);
  const agents = [...(findOpen(parts.engine, leaderId)?.state.agents.values() ?? [])];
  const { name, agent = "general", isolation } = order;
  if (agents.some((each) => each.name === name) || !roster.reserve(name))
    return refused(`${name} is already the name of an agent here.`, "Choose another name.");
  const keys = newSealKeys();
  const given = { parts, timing, paths, mailboxes, tasks, team, leaderId, leaderKey: own.publicKey, keys };
  const start = { ...given, onReport: nudge, order: { ...order, agent } };
  const begin = async () => {
    await mailboxes.clear(paths.inbox(name));
    const inPane = order.backend === undefined ? await startInPane(start, backends) : undefined;
    return inPane ?? (await startInProcess(start));
  };
  // One that cannot start is no reason against those beside it.
  const started = await begin().catch(refusedByFailure);
  if (!started.ok) {
    roster.giveBack(name);
    return started;
  }
  const live = started.value;
  const info: TeamMember = {
    ...{ name, agentId: live.agentId, agent, color: roster.nextColor(), ...live.place },
    ...{ state: "working", joinedAt: parts.now() },
    ...(isolation !== undefined && { isIsolated: true }),
  };
  const member = { info, publicKey: keys.publicKey, live };
  roster.join(member, info.backend === "in-process" ? undefined : (await backends.find())?.attach);
  return { ok: true, value: member };
}

function refusedByFailure(error: unknown): Answer<never> {
  if (!(error instanceof FailureError)) throw error;
  return { ok: false, failure: error.failure };
}

/** The model has answered, and asked for nothing more. */
function hasSaidAll({ items }: Readonly<SessionState>): boolean {
  const last = items.at(-1);
  return last?.type === "answer" && toolCalls(last.content).length === 0;
}

type Leading = {
  readonly parts: TeamParts;
  readonly site: Site;
  readonly leaderId: string;
  readonly look: () => Promise<void>;
  readonly stop: (wish: { readonly force: boolean; readonly reason: string }) => Promise<StopReport>;
  readonly signal: AbortSignal;
};

/** So many looks in a row, so that a letter on its way is not overlooked. */
const quietLooksMax = 3;

async function lead({ parts, site, leaderId, look, stop, signal }: Leading): Promise<void> {
  const { paths, mailboxes, tasks, roster, pause } = site;
  let quietLooks = 0;

  /** Headless, nobody will say anything more once all wait for each other. */
  function endWhereNobodyStays(): void {
    const open = findOpen(parts.engine, leaderId);
    if (open === undefined || open.profile.interactive) return;
    const { runId, mail } = open.state;
    const waits = runId !== undefined && mail.size === 0 && hasSaidAll(open.state);
    const members = roster.list();
    quietLooks = waits && members.length > 0 && members.every(isAtRest) ? quietLooks + 1 : 0;
    // Not awaited: the answers arrive with the next looks.
    if (quietLooks === quietLooksMax) stop({ force: false, reason: "The work is done." }).catch(report);
  }

  function isAtRest({ info: { name, state } }: RosterMember): boolean {
    const hasNothing = claimNext(tasks.read(), name) === undefined;
    return state === "waiting" && hasNothing && mailboxes.unread(paths.inbox(name)).length === 0;
  }

  function report(error: unknown): void {
    parts.onNotice(`Could not read the team: ${error instanceof Error ? error.message : String(error)}`);
  }

  while (!signal.aborted) {
    await pause(signal);
    if (signal.aborted) return;
    beat(paths, parts.now());
    await look().catch(report);
    for (const { live } of roster.list()) await live.look().catch(report);
    endWhereNobodyStays();
  }
}

/** `*` is everybody but the sender. */
export function receiversOf(to: string, from: string, members: readonly string[]): readonly string[] {
  const others = [leaderName, ...members].filter((member) => member !== from);
  return to === "*" ? others : others.filter((member) => member === to);
}
