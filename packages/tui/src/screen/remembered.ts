/** Keeps what was made last, so that lists and lines made of live values are the same array until one of the values changed. */

/** Makes again when one of `parts` is another one than at the last time. */
export type Remembered<Value> = (parts: readonly unknown[], make: () => Value) => Value;

export function createRemembered<Value>(): Remembered<Value> {
  let last: { readonly parts: readonly unknown[]; readonly value: Value } | undefined;
  return (parts, make) => {
    const isSame = last?.parts.length === parts.length && last.parts.every((part, at) => Object.is(part, parts[at]));
    if (last === undefined || !isSame) last = { parts, value: make() };
    return last.value;
  };
}
