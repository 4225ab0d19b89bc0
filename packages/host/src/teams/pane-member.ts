/** A worker in a pane: a process of its own, whose start and end are facts of its leader. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { totalOf } from "@kedge/agents/runs";
import type { Backends, ProcessName } from "@kedge/agents/teams";
import { releaseTasks } from "@kedge/agents/teams";
import { type AgentStatus, type Answer, refused } from "@kedge/protocol";
import { isAlive, processNamed } from "../machine/identity.ts";
import { writeLaunch } from "./launch.ts";
import type { LiveMember, Start } from "./team-member.ts";
import { findOpen } from "./team-parts.ts";

const resultCharactersMax = 32_768;

/** Undefined where no pane can be opened: then nothing has happened. */
export async function startInPane(start: Start, backends: Backends): Promise<Answer<LiveMember> | undefined> {
  const { parts, paths, order, leaderId, tasks } = start;
  const { engine, program, desk, now } = parts;
  const backend = await backends.find();
  const leader = findOpen(engine, leaderId);
  if (backend === undefined || program === undefined) return undefined;
  if (leader === undefined) return refused("The session was closed.");
  const definition = (await desk.table()).find(order.agent);
  if (definition === undefined || definition.isHidden || definition.mode === "primary")
    return refused((await desk.table()).unknown(order.agent));
  const agentId = parts.newId("ses_");
  const launch = join(paths.launches, `${agentId}.json`);
  const pane = await backends.open({ title: order.name, command: [...program, "teammate", launch], cwd: parts.cwd });
  if (pane === undefined) return undefined;
  const { name, agent, prompt, description = prompt } = order;
  const isRecorded = await leader.record({
    type: "agent.started",
    ...{ agentId, agent, name, depth: 1, isBackground: true },
    description: description.split("\n", 1)[0]?.slice(0, 100) ?? name,
  });
  if (!isRecorded) {
    await backend.close(pane.paneId);
    return refused("The session was closed.");
  }
  const startedAt = now();
  const process: ProcessName | undefined = pane.pid === undefined ? undefined : processNamed(pane.pid);
  writeLaunch(launch, launchOf(start, { agentId, paneId: pane.paneId, model: await modelOf(start), leader }));

  const over = Promise.withResolvers<string>();
  let isOver = false;
  let isDismissed = false;

  async function finish(status: AgentStatus, why?: string): Promise<void> {
    if (isOver) return;
    isOver = true;
    // It holds the environment with its keys, and a worker that never came up has not read it.
    rmSync(launch, { force: true });
    const record = await desk.sessions.stored(agentId);
    const open = findOpen(engine, leaderId);
    await open?.record({
      type: "agent.ended",
      ...{ agentId, status, ...totalOf(record), turns: record?.turns ?? 0, durationMs: now() - startedAt },
      result: (record?.lastRun?.text ?? "").slice(0, resultCharactersMax),
      ...(why !== undefined && { why }),
    });
    await tasks.change((all) => ({ ok: true, tasks: releaseTasks(all, (owner) => owner === name), result: {} }));
    if (status !== "cancelled") open?.wake();
    over.resolve(why ?? status);
  }

  async function isThere(): Promise<boolean> {
    return process === undefined ? ((await backend?.list()) ?? []).includes(pane?.paneId ?? "") : isAlive(process);
  }

  return {
    ok: true,
    value: {
      ...{ agentId, name, ended: over.promise, nudge: () => undefined },
      place: { backend: backend.kind, paneId: pane.paneId, ...(process !== undefined && { process }) },
      async look() {
        if (isOver || (await isThere())) return;
        if (isDismissed) await finish("completed");
        else await finish("failed", "Its process exited unexpectedly.");
      },
      async kill() {
        await backend.close(pane.paneId);
        if (process !== undefined) await endProcess(process);
        await finish(isDismissed ? "completed" : "cancelled", isDismissed ? undefined : "It was canceled.");
      },
      dismissed() {
        isDismissed = true;
      },
      answerShutdown: () => false,
    },
  };
}

async function modelOf({ parts, order, leaderId }: Start): Promise<string> {
  const own = findOpen(parts.engine, leaderId)?.state.model ?? "";
  const definition = (await parts.desk.table()).find(order.agent);
  return parts.desk.modelFor(order.model ?? definition?.model, own);
}

type LaunchFacts = {
  readonly agentId: string;
  readonly paneId: string;
  readonly model: string;
  readonly leader: NonNullable<ReturnType<typeof findOpen>>;
};

function launchOf(start: Start, { agentId, paneId, model, leader }: LaunchFacts) {
  const { parts, order, team, keys, leaderKey, leaderId, timing } = start;
  const { state, profile } = leader;
  return {
    ...{ team, agentId, paneId, model, keys, timing, cwd: parts.cwd, environment: parts.environment },
    ...{ name: order.name, agent: order.agent, prompt: order.prompt, isIsolated: order.isolation !== undefined },
    plansFirst: order.plan === true,
    interactive: profile.interactive,
    leader: {
      sessionId: leaderId,
      publicKey: leaderKey,
      process: parts.holder,
      rules: profile.rules,
      grants: state.grants,
      mode: state.mode,
      onlyLooks: profile.onlyLooks === true,
    },
  };
}

const endWaitMs = 2_000;
const lookMs = 20;

/** It ends by itself when its pane closes; what does not is ended. */
async function endProcess(process: ProcessName): Promise<void> {
  const deadline = performance.now() + endWaitMs;
  while (isAlive(process)) {
    if (performance.now() > deadline) kill(process.pid);
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}

function kill(pid: number): void {
  try {
    globalThis.process.kill(pid, "SIGKILL");
  } catch (error) {
    // It was quicker.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
