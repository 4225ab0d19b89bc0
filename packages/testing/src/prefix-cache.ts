/** A vendor's cache of prompts for the mock model: what of a request was sent before is counted as read, not as new. */
import { createHash } from "node:crypto";
import type { MockRequest, MockUsage } from "./mock-model/script.ts";

/** Vendors keep whole blocks of tokens, so the rest of a prefix after its last whole block is never read. */
const blockBytes = 512;

/** Roughly what a token of English text and code weighs. */
const bytesPerToken = 4;

const outputTokensDefault = 20;

type PrefixCacheOptions = {
  /** In milliseconds; any clock will do. */
  readonly now: () => number;
  /** How long a block is kept after it was last sent. */
  readonly ttlMs: number;
  /** What a block belongs to besides its own bytes and those before it: the address and the model unless given. */
  readonly keyOf?: (request: MockRequest) => string;
};

type PrefixCache = {
  /** What the vendor bills for the request. Afterwards its blocks are kept for the requests that follow. */
  readonly bill: (request: MockRequest, outputTokens?: number) => MockUsage;
  /** Forgets everything, as a vendor does that needs the room. */
  readonly evict: () => void;
};

/** Each block is known by the digest of everything up to its end, so a change anywhere loses all that follows. */
export function createPrefixCache({ now, ttlMs, keyOf = addressAndModel }: PrefixCacheOptions): PrefixCache {
  const keptUntil = new Map<string, number>();
  return {
    bill(request, outputTokens = outputTokensDefault) {
      const nowMs = now();
      const blocks = blockDigests(keyOf(request), request.raw);
      const missing = blocks.findIndex((block) => (keptUntil.get(block) ?? Number.NEGATIVE_INFINITY) < nowMs);
      const blocksRead = missing === -1 ? blocks.length : missing;
      for (const block of blocks) keptUntil.set(block, nowMs + ttlMs);
      return {
        input: Math.ceil(request.raw.length / bytesPerToken),
        output: outputTokens,
        cached: (blocksRead * blockBytes) / bytesPerToken,
      };
    },
    evict: () => keptUntil.clear(),
  };
}

function addressAndModel({ path, body }: MockRequest): string {
  return `${path} ${body.model ?? ""}`;
}

function blockDigests(key: string, bytes: Buffer): readonly string[] {
  const hash = createHash("sha256").update(`${key}\n`);
  const digests: string[] = [];
  for (let end = blockBytes; end <= bytes.length; end += blockBytes) {
    hash.update(bytes.subarray(end - blockBytes, end));
    digests.push(hash.copy().digest("base64"));
  }
  return digests;
}
