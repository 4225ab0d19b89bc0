/** The loop of a worker: works, reports that it is idle, and serves what waits for it, strictly in order. */
import { fenceText } from "@kedge/protocol";
import { createLetterService } from "./letter-service.ts";
import { createShutdown, type ShutdownAnswer } from "./shutdown.ts";
import type { ClaimableTask } from "./task-claims.ts";
import type { WorkerEnd, WorkerPorts } from "./worker-ports.ts";

interface Worker {
  readonly ended: Promise<WorkerEnd>;
  /** What the model said to a request to shut down; false where nobody asked. */
  answerShutdown(answer: ShutdownAnswer): boolean;
}

/** Such a turn ends by itself, or its process does. */
const lastCallMs = 60_000;

/** Without a first text the session works already. */
export function startWorker(first: string | undefined, ports: WorkerPorts): Worker {
  const { session, tasks, signal, now } = ports;
  const shutdown = createShutdown({ now, waitMs: ports.shutdownMs });
  let turns = 0;
  let task: ClaimableTask | undefined;
  let isReminded = false;
  /** After an interruption or a failure it waits for words instead of taking the next task. */
  let mayClaim = true;
  let isResting = false;
  const serve = createLetterService(ports, {
    shutdown,
    isAtWork: () => session.isBusy() || task !== undefined,
    allowClaims() {
      mayClaim = true;
    },
    wakeWith,
  });

  async function wakeWith(text: string): Promise<void> {
    if (isResting) await ports.report({ type: "working" });
    isResting = false;
    await session.instruct(text);
  }

  /** True when the worker is to end. */
  async function decideShutdown(): Promise<boolean> {
    const { requestId } = shutdown;
    if (requestId === undefined) return false;
    const verdict = shutdown.verdict({ isIdle: !session.isBusy(), hasTask: task !== undefined });
    if (verdict === undefined) return false;
    shutdown.end();
    if (verdict.isApproved) {
      await ports.report({ type: "shutdown_approved", requestId, backend: "" });
      return true;
    }
    await ports.report({ type: "shutdown_rejected", requestId, reason: verdict.reason });
    return false;
  }

  /** A turn has ended: reports it once, unless there is a reason to work on. */
  async function rest(): Promise<void> {
    turns = session.turnsEnded();
    const { outcome, text } = session.lastTurn();
    const reason = outcome === "completed" ? await ports.beforeRest() : undefined;
    if (reason !== undefined) return session.instruct(reason);
    const left = task === undefined ? undefined : tasks.read(task.id);
    const isUnfinished = left?.status === "in_progress" && left.owner === ports.name;
    if (isUnfinished && outcome === "completed" && !isReminded) {
      isReminded = true;
      return session.instruct(unfinishedText(left.id));
    }
    mayClaim = outcome === "completed";
    isResting = true;
    await ports.report({
      type: "idle_notification",
      reason: outcome === "completed" ? "available" : outcome,
      summary: shortOf(text),
      ...(left !== undefined && { completedTaskId: left.id, completedStatus: left.status }),
    });
    if (!isUnfinished) task = undefined;
  }

  async function claim(): Promise<void> {
    const next = await tasks.claim();
    if (next === undefined) return;
    task = next;
    isReminded = false;
    await wakeWith(taskText(next));
  }

  /** Undefined while it goes on. */
  async function look(): Promise<WorkerEnd | undefined> {
    if (!ports.isLeaderAlive()) {
      await finishCall(ports);
      return "leader-gone";
    }
    await serve(ports.unread());
    if (await decideShutdown()) return "shutdown";
    if (session.isBusy()) isResting = false;
    else if (session.turnsEnded() > turns) await rest();
    else if (mayClaim && shutdown.requestId === undefined && !signal.aborted) await claim();
    return undefined;
  }

  async function run(): Promise<WorkerEnd> {
    if (first !== undefined) await session.instruct(first);
    let problem = "";
    for (;;) {
      await ports.pause(signal);
      if (signal.aborted) return "stopped";
      try {
        const end = await look();
        if (end !== undefined) return end;
        problem = "";
      } catch (error) {
        // A damaged or locked file of the team ends no worker: the next look may find it repaired.
        const why = error instanceof Error ? error.message : String(error);
        if (why !== problem) ports.onDropped(`${ports.name} could not read its team: ${why}`);
        problem = why;
      }
    }
  }

  const ended = run().finally(() => tasks.release().catch(() => undefined));
  return { ended, answerShutdown: shutdown.answer };
}

/** The call under way is finished; nothing begins after it. */
async function finishCall({ session, now, pause, signal }: WorkerPorts): Promise<void> {
  const deadline = now() + lastCallMs;
  while (session.isInCall() && now() < deadline && !signal.aborted) await pause(signal);
  await session.interrupt();
}

/** What others wrote is data; that it is to be done is what kedge says. */
function taskText({ id, subject, description }: ClaimableTask): string {
  const text = fenceText(`${subject}\n\n${description}`.replaceAll("untrusted-data", "untrusted_data"), {
    source: "task",
    id,
  });
  return [
    `You have claimed task ${id} of your team. It is in progress and yours.`,
    text,
    `Do it now, and set its status to done with task_update when it is finished. If you cannot, add a note, set it to open and tell your leader.`,
  ].join("\n");
}

function unfinishedText(id: string): string {
  return `Task ${id} is still in progress and yours. If it is finished, set it to done with task_update; otherwise finish it, or add a note that says what is missing.`;
}

const summaryWordsMax = 10;

function shortOf(text: string): string {
  return text.trim().split(/\s+/).slice(0, summaryWordsMax).join(" ").slice(0, 200);
}
