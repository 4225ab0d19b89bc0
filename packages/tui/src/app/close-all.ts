/** Closes several things, each of them even if another one fails. */
export function closeAll(closers: readonly (() => void)[]): void {
  const [first, ...rest] = closers;
  if (first === undefined) return;
  try {
    first();
  } finally {
    closeAll(rest);
  }
}
