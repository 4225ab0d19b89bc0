/** Whether texts from the network are still what the user approved. */
import { digestOf } from "./digest-of.ts";
import { type FetchRemote, fetchAll } from "./fetch-remote.ts";
import { readInstructionRecord } from "./instruction-record.ts";

/** By address; the approved copy goes on to count whatever is found. */
export async function remoteNotes(
  urls: readonly string[],
  home: string,
  fetchRemote: FetchRemote,
): Promise<ReadonlyMap<string, string>> {
  const { urls: pinned } = readInstructionRecord(home);
  const fetched = await fetchAll(urls, fetchRemote);
  const notes = new Map<string, string>();
  for (const [index, url] of urls.entries()) {
    const found = fetched[index];
    const approved = pinned[url];
    if (found === undefined || approved === undefined) continue;
    const since = approved.at.slice(0, "2000-01-01".length);
    if (!found.ok) notes.set(url, `not reachable (${found.why}); using the copy from ${since}`);
    else if (digestOf(found.text) !== approved.sha256) {
      notes.set(url, `changed since ${since}; review with kedge instructions approve ${url}`);
    }
  }
  return notes;
}
