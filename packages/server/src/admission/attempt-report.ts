/** Tells of processes of the agent that were turned away, but not so often that telling does harm. */

export type AgentAttempt = {
  readonly pid: number;
  /** The name of the program alone: its arguments may hold a token. */
  readonly program: string;
  readonly method: string;
  readonly path: string;
  /** How many attempts since the last report were not reported. */
  readonly unreported: number;
};

export type AttemptReport = (attempt: AgentAttempt) => void;

const shownCharactersMax = 200;

/** For a person. Name and path are the words of whoever tried, so what could disturb a terminal is made visible. */
export function attemptText({ pid, program, method, path, unreported }: AgentAttempt): string {
  const [name, where] = [program, path].map((word) => JSON.stringify(word.slice(0, shownCharactersMax)));
  const more = unreported === 0 ? "" : ` ${unreported} earlier attempts were not reported.`;
  return `A process of the agent, ${name} (${pid}), tried ${method} ${where} and was refused.${more}`;
}

const reportsPerMinuteMax = 10;
const minuteMs = 60_000;

export function createAttemptReport(
  now: () => number,
  report: AttemptReport = () => {},
): (attempt: Omit<AgentAttempt, "unreported">) => void {
  let reportedAt: readonly number[] = [];
  let unreported = 0;
  return ({ pid, program, method, path }) => {
    const time = now();
    reportedAt = reportedAt.filter((at) => at > time - minuteMs);
    if (reportedAt.length >= reportsPerMinuteMax) {
      unreported++;
      return;
    }
    reportedAt = [...reportedAt, time];
    report({ pid, program, method, path, unreported });
    unreported = 0;
  };
}
