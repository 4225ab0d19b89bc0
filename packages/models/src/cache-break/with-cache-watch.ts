/** A provider whose `end` event tells when the vendor's cache was lost. */
import type { ModelEvent, ModelRequest, Provider } from "@kedge/protocol";
import type { CacheWatch, WatchedCall } from "./cache-watch.ts";
import type { CallExtra } from "./prompt-state.ts";

/** `extraOf` tells what the wire adds to the request by itself; without it nothing is known of that. */
export function withCacheWatch(
  provider: Provider,
  watch: CacheWatch,
  extraOf: (request: ModelRequest) => CallExtra = () => ({}),
): Provider {
  return {
    stream(request, signal) {
      const call = watch.before(request, extraOf(request));
      const events = provider.stream(request, signal);
      return call === undefined ? events : watchEvents(events, call);
    },
    ...(provider.compact !== undefined && { compact: provider.compact }),
  };
}

type Step = IteratorResult<ModelEvent, unknown>;

/** Hands on what the inner iterator gives and looks at nothing but the end; one function serves all events. */
function watchEvents(events: AsyncIterable<ModelEvent>, call: WatchedCall): AsyncIterable<ModelEvent> {
  return {
    [Symbol.asyncIterator]() {
      const inner = events[Symbol.asyncIterator]();
      const look = (step: Step): Step | Promise<Step> => {
        if (step.done === true || step.value.type !== "end") return step;
        const end = step.value;
        const explained = call.after(end.usage);
        return explained === undefined
          ? step
          : explained.then((cacheBreak) => ({ done: false, value: { ...end, cacheBreak } }));
      };
      return {
        next: () => inner.next().then(look),
        return: async () => (await inner.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
