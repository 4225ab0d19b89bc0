/** What a page that lost its connection still wants: code that is loaded late, and answers. It waits and asks again. */
import type { Failure } from "@kedge/protocol";
import * as texts from "../texts/frame.ts";
import type { Page } from "./page.ts";

/** Said when code does not come although the server answers: another build has taken the place of this one. */
export const outOfDate = texts.outOfDate;

const lookAgainMs = 2_000;

type LateWish = {
  readonly signal?: AbortSignal;
  /** Called once where it has to wait. */
  readonly onLost: () => void;
};

/** Fails when the code does not come although there is a connection, or when nobody waits for it any more. */
export async function loadLate<Code>(page: Page, load: () => Promise<Code>, wish: LateWish): Promise<Code> {
  const { signal, onLost } = wish;
  let isTold = false;
  for (;;) {
    try {
      return await load();
    } catch {
      signal?.throwIfAborted();
    }
    // It may have been cut and be back.
    if (await answers(page)) return load();
    if (!isTold) onLost();
    isTold = true;
    await maybeBack(page, signal);
    signal?.throwIfAborted();
  }
}

/** Why code did not come. */
export async function whyNotLoaded(page: Page, offline: string): Promise<string> {
  return (await answers(page)) ? outOfDate : offline;
}

async function answers({ client }: Page): Promise<boolean> {
  const read = await client.ask<"project.read">({ type: "project.read" });
  return read.ok || !isLost(read.failure);
}

export function isLost({ code }: Failure): boolean {
  return code === "connection_error";
}

/** Resolves when the stream is connected, or after a while: not everything that fails breaks the stream. */
export function maybeBack({ state }: Page, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lookAgainMs);
  const unsubscribe = state.subscribe(
    ({ stream }) => stream,
    (stream) => stream === "connected" && resolve(),
  );
  signal?.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    unsubscribe();
  });
}
