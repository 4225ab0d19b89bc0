/** Modules of Node that many files import and a short run never calls: they are loaded when first used. */

/** Together 5 ms of a start. What every run needs within its first request would only be slower this way. */
const lateBuiltins: ReadonlySet<string> = new Set([
  "node:child_process",
  "node:fs/promises",
  "node:string_decoder",
  "node:timers/promises",
  "node:zlib",
]);

export function requireBuiltin(name: string, load: (name: string) => unknown): unknown {
  if (!lateBuiltins.has(name)) return load(name);
  // A module of Node is an object.
  const module = () => load(name) as object;
  return new Proxy(
    {},
    {
      get: (_target, key) => Reflect.get(module(), key),
      has: (_target, key) => Reflect.has(module(), key),
    },
  );
}
