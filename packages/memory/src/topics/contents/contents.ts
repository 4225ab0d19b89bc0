/** Everything in a memory directory, read from its files: topics with where they stand, and what cannot be read. */
import type { FileSet, UnreadableFile } from "../directory/file-set.ts";
import {
  folderOf,
  fullIndexFile,
  indexFile,
  ledgerFile,
  type TopicPlace,
  topicPlaces,
} from "../directory/store-files.ts";
import { slugOfFile, type Topic, type TopicOrigin } from "../topic/topic.ts";
import { readTopic, type TopicProblem } from "../topic/topic-file.ts";
import { digestOf, type Ledger, readLedger } from "./ledger.ts";
import { suspicionOf, suspicionOfMarks, suspicionOfNew } from "./suspicion.ts";

export type StoredTopic = {
  /** Read from the cleaned text. */
  readonly topic: Topic;
  readonly place: TopicPlace;
  /** In the directory. */
  readonly path: string;
  /** As it stands in the file. */
  readonly text: string;
  readonly problems: readonly TopicProblem[];
  /** The session that saved this text; absent where kedge did not write it. */
  readonly sessionId?: string;
  /** Why it must not be indexed or recalled before the user has looked at it. */
  readonly suspicion?: string;
};

export type Contents = {
  readonly topics: readonly StoredTopic[];
  readonly ledger: Ledger;
  readonly index: string | undefined;
  readonly unreadable: readonly UnreadableFile[];
};

/** A text that kedge did not write as it stands: whatever it claims, nobody the harness knows has said it. */
const unknownOrigin: TopicOrigin = "agent-inferred";

/** `clean` takes out secrets and marks, before anything of a text that others may have changed is shortened or shown. */
export function readContents({ texts, unreadable }: FileSet, clean: (text: string) => string): Contents {
  const ledger = readLedger(texts.get(ledgerFile));
  const misnamed: UnreadableFile[] = [];
  const topics = [...texts].flatMap(([path, text]) => {
    const [name = "", folder = ""] = path.split("/").reverse();
    const place = topicPlaces.find((each) => folderOf(each) === folder);
    if (place === undefined || !name.endsWith(".md") || path === indexFile || path === fullIndexFile) return [];
    const slug = slugOfFile(name);
    if (slug !== undefined) return [storedTopic({ slug, place, path, text, ledger, clean })];
    misnamed.push({ path, why: "invalid topic name" });
    return [];
  });
  return {
    topics,
    ledger,
    index: texts.get(indexFile),
    unreadable: [...unreadable, ...misnamed],
  };
}

type Found = {
  readonly slug: string;
  readonly place: TopicPlace;
  readonly path: string;
  readonly text: string;
  readonly ledger: Ledger;
  readonly clean: (text: string) => string;
};

function storedTopic({ slug, place, path, text, ledger, clean }: Found): StoredTopic {
  const entry = ledger.get(path);
  const known = entry?.hash === digestOf(text) ? entry : undefined;
  const cleaned = clean(text);
  const read = readTopic(slug, cleaned, known?.origin ?? unknownOrigin);
  const suspicion = known?.isApproved
    ? undefined
    : known === undefined
      ? (suspicionOfMarks(text) ?? suspicionOfNew(cleaned))
      : suspicionOf(cleaned);
  return {
    ...read,
    ...{ place, path, text },
    ...(known?.sessionId !== undefined && { sessionId: known.sessionId }),
    ...(suspicion !== undefined && { suspicion }),
  };
}

/** Those that the index names: said or accepted by the user, and not suspicious. */
export function activeTopics({ topics }: Contents): readonly StoredTopic[] {
  return topics.filter(({ place, suspicion }) => place === "active" && suspicion === undefined);
}

/** Those that may be shown to a model: nothing took their place. Disputed ones are among them. */
export function recallableTopics(contents: Contents): readonly StoredTopic[] {
  return activeTopics(contents).filter(({ topic }) => topic.status !== "superseded");
}

/** Those that count only once the user has said so. */
export function waitingTopics({ topics }: Contents): readonly StoredTopic[] {
  return topics.filter(({ place, suspicion }) => place !== "active" || suspicion !== undefined);
}

export function findTopic({ topics }: Contents, slug: string, place?: TopicPlace): StoredTopic | undefined {
  const wanted = slug.replace(/\.md$/, "");
  const named = topics.filter(({ topic }) => topic.slug === wanted);
  return place === undefined ? named[0] : named.find((each) => each.place === place);
}
