/** How much of a session's last request a worker read from the provider's cache, and what differs where that is little. */
import type { OpenSession } from "@kedge/engine";
import { isSameJson, type RequestPrefix, type Usage } from "@kedge/protocol";
import type { UpkeepParts } from "./upkeep-parts.ts";

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
  { requestUsageOf, onNotice }: Pick<UpkeepParts, "requestUsageOf" | "onNotice">,
): Promise<CacheEffect> {
  const cacheShare = shareOf(requestUsageOf(session.state), first);
  if (cacheShare === undefined) return {};
  if (cacheShare >= shareMin) return { cacheShare };
  const section = firstDifference(prefix, await session.prefix());
  if (section === undefined) return { cacheShare, cacheMiss: "provider" };
  const percent = Math.round(cacheShare * 100);
  onNotice(
    `Cache miss in the background: ${percent} % of the conversation was read from the cache (${section} differs).`,
  );
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
  if (current === undefined) return "model";
  if (!isSameJson(used.tools, current.tools)) return "tools";
  if (used.system !== current.system) return "system prompt";
  if (used.systemTail !== current.systemTail) return "environment";
  const at = used.messages.findIndex((message, index) => !isSameJson(message, current.messages[index]));
  return at === -1 ? undefined : `message ${at + 1}`;
}
