/** What changed: in the files of the session since its beginning, and in the working tree. */
import { counted, type FileDiff } from "@kedge/protocol";
import { useMemo, useState } from "preact/hooks";
import { PatchDiff } from "../parts/diff.ts";
import { createPageLook } from "../parts/part.tsx";
import { visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/changes.ts";
import { Empty, Loaded, Panel } from "./panel.tsx";
import { useAsked, useHappenings } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

export default function Changes({ client, sessionId }: ViewProps) {
  const [place, setPlace] = useState<"session" | "tree">(sessionId === undefined ? "tree" : "session");
  return (
    <>
      <fieldset class="row-actions" aria-label={texts.changesOf}>
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
    <Panel title={texts.inSession} aside={diff.value && countsText(diff.value.files)}>
      <Loaded of={diff} loading={texts.loading}>
        {({ files }) => (files.length === 0 ? <Empty>{texts.noneInSession}</Empty> : files.map(fileChange))}
      </Loaded>
    </Panel>
  );
}

function TreeChanges({ client }: Pick<ViewProps, "client">) {
  const look = useMemo(() => createPageLook({}), []);
  const diff = useAsked("vcs", () => client.ask<"vcs.diff">({ type: "vcs.diff" }));
  return (
    <Panel title={texts.uncommitted}>
      <Loaded of={diff} loading={texts.loading}>
        {({ text, isCut }) =>
          text === "" ? (
            <Empty>{texts.noneUncommitted}</Empty>
          ) : (
            <>
              <PatchDiff patch={text} path="" look={look} linesMax={2_000} />
              {isCut && <p class="view-note">{texts.diffCut}</p>}
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
      {patch === "" ? <p class="view-note">{texts.noText}</p> : <PatchDiff patch={patch} path={path} look={look} />}
    </details>
  );
}

function countsText(files: readonly FileDiff[]): string {
  const sum = (of: "additions" | "deletions") => files.reduce((total, file) => total + file[of], 0);
  return `${counted(files.length, "file", "files")}, +${sum("additions")} -${sum("deletions")}`;
}
