/** Draws a component again when what it selected of a state has changed, and only then. */

import type { StateStore } from "@kedge/tui/session";
import { useEffect, useState } from "preact/hooks";

export function useSelected<State, Value>(
  store: StateStore<State>,
  select: (state: State) => Value,
  equals?: (left: Value, right: Value) => boolean,
): Value {
  const [, redraw] = useState(0);
  const value = select(store.get());
  useEffect(() => {
    // It may have changed between drawing and this.
    if (!Object.is(value, select(store.get()))) redraw((count) => count + 1);
    return store.subscribe(select, () => redraw((count) => count + 1), equals);
    // The selection is of the same meaning in every drawing.
  }, [store]);
  return value;
}
