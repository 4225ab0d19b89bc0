/** A check for settings that are switched off with `false` and described with an object otherwise. */
import { type Check, checkWith } from "./checks.ts";

export function falseOr(check: Check): Check {
  return checkWith(
    () => ({ anyOf: [{ type: "boolean", enum: [false] }, check.schema()] }),
    (value, path) => (value === false ? [] : check(value, path)),
  );
}
