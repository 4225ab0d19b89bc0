/** Memory as people read it: the list, and one topic with what leads to it. */
import { type Contents, linkingTo, type StoredTopic } from "@kedge/memory/topics";
import { counted, stripTerminalControls } from "@kedge/protocol";

export function listText(
  contents: Contents,
  { directory, command }: { readonly directory: string; readonly command: string },
): string {
  const { topics, unreadable } = contents;
  const active = topics.filter(({ place, suspicion }) => place === "active" && suspicion === undefined);
  const waiting = topics.length - active.length;
  const disputed = active.filter(({ topic }) => topic.status === "disputed").length;
  const lines = [
    `Memory: ${counted(active.length, "topic")} in ${directory}`,
    ...active.map(
      ({ topic }) => `  ${topic.slug}${statusNote(topic)}  ${topic.type}, ${topic.origin}: ${topic.description}`,
    ),
    ...(waiting === 0 ? [] : [`${counted(waiting, "item")} waiting for review: ${command} inbox`]),
    ...(disputed === 0 ? [] : [`Contradictions: ${command} prefer <winner> <loser>`]),
    ...unreadable.map(({ path, why }) => `Not read: ${path} (${why})`),
  ];
  return stripTerminalControls(lines.join("\n"));
}

function statusNote({ status, disputes, supersededBy }: StoredTopic["topic"]): string {
  if (status === "disputed") return ` (contradicts ${disputes.join(", ")})`;
  return status === "superseded" ? ` (superseded by ${supersededBy ?? "another"})` : "";
}

export function topicDetails(contents: Contents, { topic, place, path, suspicion, sessionId }: StoredTopic): string {
  const backlinks = linkingTo(contents, topic.slug).map((other) => other.topic.slug);
  const facts: readonly (readonly [string, string])[] = [
    ["file", path],
    ["state", place === "active" ? topic.status : place],
    ["origin", topic.origin + (sessionId === undefined ? "" : ` (session ${sessionId})`)],
    ["type", topic.type],
    ["saved", [topic.created, topic.updated].filter((day) => day !== "").join(", updated ")],
    ["sources", topic.sources.join(", ")],
    ["contradicts", topic.disputes.join(", ")],
    ["superseded by", topic.supersededBy ?? ""],
    ["linked from", backlinks.join(", ")],
    ["not used", suspicion ?? ""],
  ];
  const shown = facts.filter(([, value]) => value !== "").map(([name, value]) => `${name.padEnd(14)}${value}`);
  return stripTerminalControls([titleOf(topic), ...shown, "", topic.body].join("\n"));
}

/** A short note has its text as name and description. */
function titleOf({ name, description }: StoredTopic["topic"]): string {
  return name === description ? name : `${name}: ${description}`;
}
