/** One state per client: read, changed by functions, and listened to by what one looks at. */

export interface StateStore<State> {
  get(): State;
  /** A change made inside of a listener is carried out after all listeners were told of the one before. */
  update(change: (state: State) => State): void;
  /** Told once per change, and only when what was selected is not the same any more. Gives back the way to stop. */
  subscribe<Value>(
    select: (state: State) => Value,
    listener: (value: Value) => void,
    equals?: (left: Value, right: Value) => boolean,
  ): () => void;
}

type Subscription<State> = { readonly look: (state: State) => void };

export function createStateStore<State>(initial: State): StateStore<State> {
  let state = initial;
  const subscriptions = new Set<Subscription<State>>();
  const waiting: ((state: State) => State)[] = [];
  let isTelling = false;

  function update(change: (state: State) => State): void {
    waiting.push(change);
    if (isTelling) return;
    isTelling = true;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const before = state;
        state = next(before);
        if (state === before) continue;
        for (const { look } of [...subscriptions]) look(state);
      }
    } finally {
      isTelling = false;
      waiting.length = 0;
    }
  }

  return {
    get: () => state,
    update,
    subscribe(select, listener, equals = Object.is) {
      let seen = select(state);
      const subscription: Subscription<State> = {
        look(next) {
          const value = select(next);
          if (equals(seen, value)) return;
          seen = value;
          if (subscriptions.has(subscription)) listener(value);
        },
      };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
  };
}
