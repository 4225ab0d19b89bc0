/** Ends a child that was started `detached`, with everything that it started and that stayed in its group. */
export function endGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL" = "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It ended by itself in this moment.
  }
}
