/** Whether topics are due to be tidied up without anybody asking for it. */

export type ConsolidationGate = {
  readonly isWanted: boolean;
  /** Daily-log mode does it at night. */
  readonly isDailyLog: boolean;
  readonly lastAtMs: number;
  readonly nowMs: number;
  readonly hoursMin: number;
  /** Sessions that were worked in since the last time. */
  readonly sessions: number;
  readonly sessionsMin: number;
};

const hourMs = 3_600_000;

export function isConsolidationDue(gate: ConsolidationGate): boolean {
  const { isWanted, isDailyLog, lastAtMs, nowMs, hoursMin, sessions, sessionsMin } = gate;
  return isWanted && !isDailyLog && nowMs - lastAtMs >= hoursMin * hourMs && sessions >= sessionsMin;
}
