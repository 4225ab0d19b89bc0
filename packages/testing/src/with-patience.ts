/** Stops work that never ends, which the time limit of a test cannot do while the work blocks its thread. */
import { runInThisContext } from "node:vm";

/** A hundred times what any such work takes on a busy machine: this tells an end from none, and measures nothing. */
const patienceMs = 30_000;
const name = "kedgeWorkWithPatience";

/** Choose the input so large that work which grows faster than its input would take much longer than this. */
export function withPatience<Result>(work: () => Result): Result {
  Object.defineProperty(globalThis, name, { value: work, configurable: true });
  try {
    return runInThisContext(`${name}()`, { timeout: patienceMs });
  } finally {
    Reflect.deleteProperty(globalThis, name);
  }
}
