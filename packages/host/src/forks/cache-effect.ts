/** How much of a session's last request a worker read from the provider's cache, and what differs where that is little. */
import type { OpenSession } from "@kedge/engine";
import { isSameJson, type RequestPrefix, type SessionState, type Usage } from "@kedge/protocol";

export type MeasureParts = {
  /** What the provider counted for the last request of the session. */
  readonly requestUsageOf: (state: Readonly<SessionState>) => Usage | undefined;
  readonly onNotice: (sentence: string) => void;
};

/** Empty where the provider tells of no cache. */
export type CacheEffect = { readonly cacheShare?: number; readonly cacheMiss?: string };

export type MeasuredWorker = {
  /** What it began with. */
  readonly prefix: RequestPrefix;
  /** Of its first answer. */
  readonly first: Usage | undefined;
};

/** Caches are counted in blocks, and the newest part of a conversation is not in them yet. */
const shareMin = 0.8;

/** A prefix that differs is a fault of kedge, so it is told; what a provider forgets is only recorded. */
export async function cacheEffect(
  session: Pick<OpenSession, "state" | "prefix">,
  { prefix, first }: MeasuredWorker,
  { requestUsageOf, onNotice }: MeasureParts,
): Promise<CacheEffect> {
  const cacheShare = shareOf(requestUsageOf(session.state), first);
  if (cacheShare === undefined) return {};
  if (cacheShare >= shareMin) return { cacheShare };
  const current = await session.prefix();
  const section = firstDifference(prefix, current.ok ? current.value : undefined);
  if (section === undefined) return { cacheShare, cacheMiss: "provider" };
  const percent = Math.round(cacheShare * 100);
  onNotice(`Background cache miss: ${percent}% of the conversation was read from the cache (${section} differs).`);
  return { cacheShare, cacheMiss: section };
}

function shareOf(parent: Usage | undefined, first: Usage | undefined): number | undefined {
  if (parent === undefined || first === undefined) return undefined;
  if (parent.cacheRead + parent.cacheWrite + first.cacheRead === 0) return undefined;
  const tokens = parent.input + parent.cacheRead + parent.cacheWrite;
  return Math.min(1, Math.round((first.cacheRead / tokens) * 100) / 100);
}

/** In the order in which providers read a request. */
function firstDifference(used: RequestPrefix, current: RequestPrefix | undefined): string | undefined {
  if (current === undefined || used.model !== current.model) return "model";
  if (!isSameJson(used.tools, current.tools)) return "tools";
  if (used.system !== current.system) return "system prompt";
  if (used.systemTail !== current.systemTail) return "environment";
  if (!isSameJson(used.reasoning ?? null, current.reasoning ?? null)) return "thinking";
  // Results that a fork began without have arrived in its session since.
  const end = used.messages.findLastIndex(({ role }) => role !== "tool") + 1;
  const at = used.messages.slice(0, end).findIndex((message, index) => !isSameJson(message, current.messages[index]));
  return at === -1 ? undefined : `message ${at + 1}`;
}
