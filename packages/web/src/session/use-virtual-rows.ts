/**
 * Draws of a long list only the rows near what is in sight, whatever their heights. What one reads stays where it is when
 * rows above it come in or turn out taller, and whoever is at the end stays there while it grows.
 */
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { rowOffsets } from "./row-offsets.ts";

export type VirtualRows = {
  readonly from: number;
  /** The first one that is not drawn any more. */
  readonly to: number;
  readonly startPx: number;
  readonly totalPx: number;
  /** For the element of each row, which carries its key as `data-key`. */
  readonly measure: (element: HTMLElement | null) => void;
  readonly showRow: (index: number) => void;
  readonly showEnd: () => void;
  readonly isAtEnd: boolean;
};

/** Drawn above and below what is in sight. */
const marginPx = 900;
/** Nearer to the end than this counts as there. */
const endPx = 60;

type Anchor = { readonly key: string; readonly belowPx: number };

export function useVirtualRows(place: RefObject<HTMLElement | null>, keys: readonly string[]): VirtualRows {
  const [version, setVersion] = useState(0);
  const [isAtEnd, setAtEnd] = useState(true);
  const [sight, setSight] = useState({ topPx: 0, heightPx: 800 });
  const held = useRef({ isAtEnd: true, topBefore: 0, anchor: undefined as Anchor | undefined });
  const heights = useRef(new Map<string, number>()).current;
  const offsets = useMemo(() => rowOffsets(keys, heights), [keys, version]);
  const latest = useRef({ keys, offsets });
  latest.current = { keys, offsets };

  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        let isChanged = false;
        for (const { target } of entries) {
          const key = target instanceof HTMLElement ? target.dataset["key"] : undefined;
          const height = target.getBoundingClientRect().height;
          // One that was taken out of the page has no height.
          if (key === undefined || !target.isConnected || heights.get(key) === height) continue;
          heights.set(key, height);
          isChanged = true;
        }
        if (isChanged) setVersion((before) => before + 1);
      }),
    [],
  );
  useLayoutEffect(() => () => observer.disconnect(), [observer]);

  function showEnd(): void {
    held.current.isAtEnd = true;
    setAtEnd(true);
    const element = place.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }

  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    if (held.current.isAtEnd) {
      element.scrollTop = element.scrollHeight;
      return;
    }
    const { anchor } = held.current;
    const at = anchor === undefined ? -1 : keys.indexOf(anchor.key);
    if (anchor === undefined || at < 0) return;
    const wanted = (offsets.starts[at] ?? 0) + anchor.belowPx;
    if (Math.abs(element.scrollTop - wanted) > 1) element.scrollTop = wanted;
  }, [offsets]);

  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const look = () => {
      const { scrollTop, clientHeight, scrollHeight } = element;
      const now = latest.current;
      const index = now.offsets.rowAt(scrollTop);
      const key = now.keys[index];
      const left = scrollHeight - scrollTop - clientHeight;
      // Only who scrolls up leaves the end; what grows below does not.
      if (left <= endPx) held.current.isAtEnd = true;
      else if (scrollTop < held.current.topBefore - 1) held.current.isAtEnd = false;
      held.current.topBefore = scrollTop;
      if (key !== undefined) held.current.anchor = { key, belowPx: scrollTop - (now.offsets.starts[index] ?? 0) };
      setAtEnd(held.current.isAtEnd);
      setSight((before) =>
        Math.abs(before.topPx - scrollTop) < marginPx / 3 && before.heightPx === clientHeight
          ? before
          : { topPx: scrollTop, heightPx: clientHeight },
      );
    };
    const resized = new ResizeObserver(() => {
      if (held.current.isAtEnd) element.scrollTop = element.scrollHeight;
      look();
    });
    resized.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [place]);

  const end = Math.max(0, offsets.totalPx - sight.heightPx);
  const top = held.current.isAtEnd ? end : Math.min(sight.topPx, end);
  const from = offsets.rowAt(top - marginPx);
  const to = keys.length === 0 ? 0 : offsets.rowAt(top + sight.heightPx + marginPx) + 1;
  return {
    ...{ from, to, totalPx: offsets.totalPx, startPx: offsets.starts[from] ?? 0, isAtEnd, showEnd },
    measure: (element) => element !== null && observer.observe(element),
    showRow(index) {
      const element = place.current;
      const key = keys[index];
      if (element === null || key === undefined) return;
      held.current.isAtEnd = false;
      held.current.anchor = { key, belowPx: -12 };
      element.scrollTop = Math.max(0, (offsets.starts[index] ?? 0) - 12);
    },
  };
}
