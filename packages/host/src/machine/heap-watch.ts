/**
 * Interrupts runs while there is memory left to record that. V8 ends a process whose heap is full at once: without a word
 * of ours, with whatever the terminal was set to, and with every session in it.
 */
import type { Engine } from "@kedge/engine";

const intervalMs = 250;
/** Recording the end of a run takes some as well. */
const shareMax = 0.85;
/** Of what V8 names as its limit, a part is for what is young. */
const shareOfOld = 0.95;
const megabyte = 1_024 * 1_024;

/** Looks only while there are runs: a kedge that waits is never woken by it. */
export function watchHeap(engine: Pick<Engine, "openSessions" | "send" | "subscribeAll">): void {
  let timer: NodeJS.Timeout | undefined;
  engine.subscribeAll((_, event) => {
    if (event.kind === "fact" && event.record.fact.type === "step.started")
      timer ??= setInterval(look, intervalMs).unref();
  });

  function look(): void {
    const running = engine.openSessions().filter(({ state }) => state.runId !== undefined);
    const shortage = running.length === 0 ? undefined : heapShortage();
    if (running.length > 0 && shortage === undefined) return;
    const text = `Out of memory: ${shortage}. The run was interrupted. Start a new session, or raise the limit with NODE_OPTIONS=--max-old-space-size=<MB>.`;
    for (const { state, tell } of running) {
      tell({ type: "notice", text });
      // It answers once the end of the run is stored; a session that was closed meanwhile has no run.
      void engine.send<"turn.interrupt">({ type: "turn.interrupt", sessionId: state.sessionId });
    }
    // The next step begins it again.
    clearInterval(timer);
    timer = undefined;
  }
}

type HeapUse = { readonly usedBytes: number; readonly limitBytes: number };

/** In words; undefined while there is room, or as soon as there is some again. */
function heapShortage(): string | undefined {
  if (!isShort(heapOfThread())) return undefined;
  collectGarbage();
  const use = heapOfThread();
  return isShort(use) ? `${inMegabytes(use.usedBytes)} of ${inMegabytes(use.limitBytes)} MB in use` : undefined;
}

function isShort({ usedBytes, limitBytes }: HeapUse): boolean {
  return usedBytes > limitBytes * shareMax;
}

function inMegabytes(bytes: number): string {
  return Math.round(bytes / megabyte).toLocaleString("en-US");
}

function heapOfThread(): HeapUse {
  const { used_heap_size: usedBytes, heap_size_limit: whole } = process.getBuiltinModule("node:v8").getHeapStatistics();
  const named = namedMegabytes();
  return { usedBytes, limitBytes: named === undefined ? whole * shareOfOld : named * megabyte };
}

/** What was asked for is exact, and a small one has much room for what is young beside it. */
function namedMegabytes(): number | undefined {
  const words = `${process.env["NODE_OPTIONS"] ?? ""} ${process.execArgv.join(" ")}`;
  const named = /--max[-_]old[-_]space[-_]size[= ](\d+)/.exec(words)?.[1];
  return named === undefined ? undefined : Number(named);
}

/** Much of a heap that has grown may be waiting to be freed. */
function collectGarbage(): void {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  const { runInNewContext } = process.getBuiltinModule("node:vm");
  setFlagsFromString("--expose-gc");
  // With that flag a new context has this function.
  const collect = runInNewContext("gc") as () => void;
  // A code cache fits only under the flags it was written with.
  setFlagsFromString("--no-expose-gc");
  collect();
}
