/** What a filter of the listing means, for stores that have no query language and for words in titles everywhere. */
import type { SessionFilter, SessionSummary } from "@kedge/protocol";

/** More words of a query than these are not looked at. */
const wordsMax = 16;

/** The page of the summaries that the filter asks for, newest first. */
export function filterSessions(all: readonly SessionSummary[], filter: SessionFilter): readonly SessionSummary[] {
  return all
    .filter((summary) => matches(summary, filter))
    .sort(newestFirst)
    .slice(0, filter.limit);
}

/** Words without regard to case; SQLite by itself knows only that of ASCII. */
export function plainTitle(title: string): string {
  return title.normalize("NFKC").toLowerCase();
}

export function titleWords({ text }: SessionFilter): readonly string[] {
  const words = plainTitle(text ?? "").split(/\s+/u);
  return words.filter((word) => word !== "").slice(0, wordsMax);
}

function matches(summary: SessionSummary, filter: SessionFilter): boolean {
  const { directory, projectId, parentId, isArchived, updatedAfter, updatedBefore, after } = filter;
  const title = plainTitle(summary.title);
  return (
    summary.isArchived === (isArchived === true) &&
    (directory === undefined || summary.directory === directory) &&
    (projectId === undefined || summary.projectId === projectId) &&
    (parentId === undefined || summary.parentId === parentId) &&
    (updatedAfter === undefined || summary.updatedAt > updatedAfter) &&
    (updatedBefore === undefined || summary.updatedAt < updatedBefore) &&
    (after === undefined || newestFirst(after, summary) < 0) &&
    titleWords(filter).every((word) => title.includes(word))
  );
}

type Place = Pick<SessionSummary, "updatedAt" | "sessionId">;

/** Equal times are told apart by the id. */
function newestFirst(left: Place, right: Place): number {
  if (left.updatedAt !== right.updatedAt) return right.updatedAt - left.updatedAt;
  if (left.sessionId === right.sessionId) return 0;
  return left.sessionId < right.sessionId ? 1 : -1;
}
