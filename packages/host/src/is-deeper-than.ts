/** Whether values from outside are nested so deeply that whoever walks them would exhaust the stack. */

/** More than any text that is read here can write down; references of YAML could stand for any number. */
const valuesMax = 50_000_000;

/** Without recursion, since the depth is what is in doubt. A plain value has no depth, an empty list has one level. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  const left: { readonly value: object; readonly depth: number }[] = [];
  const push = (each: unknown, depth: number) => {
    if (typeof each === "object" && each !== null) left.push({ value: each, depth });
  };
  push(value, 1);
  for (let count = 0; count < valuesMax; count += 1) {
    const next = left.pop();
    if (next === undefined) return false;
    if (next.depth > levels) return true;
    for (const each of Object.values(next.value)) push(each, next.depth + 1);
  }
  return true;
}
