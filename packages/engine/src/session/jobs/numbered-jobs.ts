/** Jobs whose numbers go on after those that the session used before this process, so that no old one is meant by a new. */
import { type Job, type JobStarted, type Jobs, jobsNamedIn, type SessionState, type TreeItem } from "@kedge/protocol";

/** More jobs than any session has; a larger number in some output is something else. */
const numberMax = 9_999;

/** Looks at the past when the first job starts: most sessions never have one. */
export function numberJobsAfter(state: SessionState, jobs: Jobs): Jobs {
  // Counted now, because what this process adds may name jobs of other programs. Nothing is ever taken out of the tree.
  const pastCount = state.tree.size;
  const left = [...state.jobs.keys()];
  let taken: number | undefined;

  const shift = (jobId: string, by: number) => jobId.replace(/\d+$/, (digits) => String(Number(digits) + by));
  const outer = <Shown extends Job>(job: Shown): Shown => ({ ...job, jobId: shift(job.jobId, taken ?? 0) });
  const inner = (jobId: string) => shift(jobId, -(taken ?? 0));

  const past = () => [...state.tree.values()].slice(0, pastCount).map(({ item }) => item);

  function began(start: () => JobStarted): JobStarted {
    taken ??= highestOf([...left, ...past().flatMap(toldIn)]);
    const started = start();
    return started.ok ? { ok: true, job: outer(started.job) } : started;
  }

  function find(jobId: string): Job | undefined {
    const job = jobs.find(inner(jobId));
    return job && outer(job);
  }

  return {
    start: (job) => began(() => jobs.start(job)),
    adopt: (run) => began(() => jobs.adopt(run)),
    find,
    list: () => jobs.list().map(outer),
    takeOutput: (jobId) => jobs.takeOutput(inner(jobId)),
    waitForEnd: (jobIds, signal) => jobs.waitForEnd(jobIds.map(inner), signal),
    kill: (jobId) => jobs.kill(inner(jobId)),
    takeEnded: () => jobs.takeEnded().map(outer),
    close: () => jobs.close(),
    watch: (mark) => jobs.watch(mark),
  };
}

function toldIn(item: TreeItem): readonly string[] {
  if (item.type === "released") return item.step?.results.flatMap(({ jobIds }) => jobIds) ?? [];
  return item.type === "results" ? item.results.flatMap(({ output }) => jobsNamedIn(output)) : [];
}

function highestOf(jobIds: readonly string[]): number {
  const numbers = jobIds.map((jobId) => Number(/\d+$/.exec(jobId)?.[0]));
  return numbers.filter((number) => number <= numberMax).reduce((one, other) => Math.max(one, other), 0);
}
