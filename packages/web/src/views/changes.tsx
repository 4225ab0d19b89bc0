/** What changed: in the files of the session since its beginning, and in the working tree. */
import { counted, type FileDiff } from "@kedge/protocol";
import { useMemo, useState } from "preact/hooks";
import { PatchDiff } from "../parts/diff.ts";
import { createPageLook } from "../parts/part.tsx";
import { visibleLine } from "../parts/visible-text.ts";
import { Empty, Loaded, Panel } from "./panel.tsx";
import { useAsked, useHappenings } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

export default function Changes({ client, sessionId }: ViewProps) {
  const [place, setPlace] = useState<"session" | "tree">(sessionId === undefined ? "tree" : "session");
  return (
    <>
      <fieldset class="row-actions" aria-label="Changes of">
        {sessionId !== undefined && (
          <PlaceButton name="This session" isChosen={place === "session"} choose={() => setPlace("session")} />
        )}
        <PlaceButton name="Working tree" isChosen={place === "tree"} choose={() => setPlace("tree")} />
      </fieldset>
      {place === "session" && sessionId !== undefined ? (
        <SessionChanges client={client} sessionId={sessionId} />
      ) : (
        <TreeChanges client={client} />
      )}
    </>
  );
}

function PlaceButton({ name, isChosen, choose }: { name: string; isChosen: boolean; choose: () => void }) {
  return (
    <button type="button" class="view-button" aria-pressed={isChosen} onClick={choose}>
      {name}
    </button>
  );
}

function SessionChanges({ client, sessionId }: { readonly client: ViewProps["client"]; readonly sessionId: string }) {
  const diff = useAsked(`diff ${sessionId}`, () => client.ask<"session.diff">({ type: "session.diff", sessionId }));
  useHappenings(client, diff.again, sessionId);
  return (
    <Panel title="Changes in this session" aside={diff.value && countsText(diff.value.files)}>
      <Loaded of={diff} loading="Loading changes…">
        {({ files }) =>
          files.length === 0 ? <Empty>No file was changed in this session.</Empty> : files.map(fileChange)
        }
      </Loaded>
    </Panel>
  );
}

function TreeChanges({ client }: Pick<ViewProps, "client">) {
  const look = useMemo(() => createPageLook({}), []);
  const diff = useAsked("vcs", () => client.ask<"vcs.diff">({ type: "vcs.diff" }));
  return (
    <Panel title="Uncommitted changes">
      <Loaded of={diff} loading="Loading changes…">
        {({ text, isCut }) =>
          text === "" ? (
            <Empty>No uncommitted changes.</Empty>
          ) : (
            <>
              <PatchDiff patch={text} path="" look={look} linesMax={2_000} />
              {isCut && (
                <p class="view-note">The diff is too long to be shown in full. Run git diff to see all of it.</p>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function fileChange(file: FileDiff) {
  return <FileChange key={file.path} file={file} />;
}

function FileChange({ file }: { readonly file: FileDiff }) {
  const look = useMemo(() => createPageLook({}), []);
  const { path, status, additions, deletions, patch } = file;
  return (
    <details class="change" open={additions + deletions < 400}>
      <summary>
        <span class="row-name">{visibleLine(path)}</span>{" "}
        <span class="row-state">
          {status} · +{additions} -{deletions}
        </span>
      </summary>
      {patch === "" ? (
        <p class="view-note">No text to compare.</p>
      ) : (
        <PatchDiff patch={patch} path={path} look={look} />
      )}
    </details>
  );
}

function countsText(files: readonly FileDiff[]): string {
  const sum = (of: "additions" | "deletions") => files.reduce((total, file) => total + file[of], 0);
  return `${counted(files.length, "file", "files")}, +${sum("additions")} -${sum("deletions")}`;
}
