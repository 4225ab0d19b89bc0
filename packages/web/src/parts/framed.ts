/** A value that changes more often than a screen is drawn: components see it once per frame. */
import { useEffect, useRef, useState } from "preact/hooks";

/** `isLast` for the value after which none follows: it is seen at once. */
export function useFramed<Value>(value: Value, { isLast }: { readonly isLast: boolean }): Value {
  const newest = useRef(value);
  const frame = useRef<number | undefined>(undefined);
  const [shown, show] = useState(value);
  newest.current = value;
  useEffect(() => {
    if (isLast || frame.current !== undefined || newest.current === shown) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = undefined;
      show(newest.current);
    });
  });
  useEffect(() => () => (frame.current === undefined ? undefined : cancelAnimationFrame(frame.current)), []);
  return isLast ? value : shown;
}
