/** Terminals of the user on the server's machine. The emulator is loaded with the first one that is shown. */
import type { Client, TerminalSummary } from "@kedge/protocol";
import { useEffect, useRef, useState } from "preact/hooks";
import { visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/terminal.ts";
import { Action, Empty, Loaded, Panel } from "./panel.tsx";
import { connectScreen } from "./terminal-screen.ts";
import { sentenceOf, useAsked } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

export default function Terminal({ client, rest, go }: ViewProps) {
  const listed = useAsked("terminals", () => client.ask<"pty.list">({ type: "pty.list" }));
  const open = async () => {
    const answer = await client.send<"pty.open">({ type: "pty.open" });
    if (!answer.ok) return sentenceOf(answer.failure);
    listed.again();
    go(`/app/terminal/${encodeURIComponent(answer.value.ptyId)}`);
    return undefined;
  };
  return (
    <Panel title={texts.title} aside={<Action label={texts.newTerminal} act={open} />}>
      <Loaded of={listed} loading={texts.loading}>
        {({ terminals }) => (
          <>
            {terminals.length === 0 && <Empty>{texts.none}</Empty>}
            <fieldset class="row-actions" aria-label={texts.openTerminals}>
              {terminals.map((terminal) => (
                <button
                  key={terminal.ptyId}
                  type="button"
                  class="view-button"
                  aria-pressed={terminal.ptyId === rest}
                  onClick={() => go(`/app/terminal/${encodeURIComponent(terminal.ptyId)}`)}
                >
                  {titleOf(terminal)}
                </button>
              ))}
            </fieldset>
            {terminals.some(({ ptyId }) => ptyId === rest) && (
              <Screen key={rest} client={client} ptyId={rest} onEnd={listed.again} />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function titleOf({ command, directory, exitCode }: TerminalSummary): string {
  const ended = exitCode === undefined ? "" : texts.exited(exitCode);
  return texts.commandIn(visibleLine(command), visibleLine(directory.split("/").at(-1) ?? directory), ended);
}

type ScreenProps = { readonly client: Client; readonly ptyId: string; readonly onEnd: () => void };

function Screen({ client, ptyId, onEnd }: ScreenProps) {
  const place = useRef<HTMLDivElement>(null);
  const [told, tell] = useState(texts.connecting);
  useEffect(() => {
    if (place.current === null) return;
    const ended = new AbortController();
    // The reason stands in its note; nothing else fails here.
    void connectScreen({ place: place.current, ptyId, signal: ended.signal, tell, onEnd });
    return () => ended.abort();
  }, [ptyId]);
  const close = async () => {
    const answer = await client.send<"pty.close">({ type: "pty.close", ptyId });
    onEnd();
    return answer.ok ? undefined : sentenceOf(answer.failure);
  };
  return (
    <>
      <div class="row-actions">
        <span class="row-state" role="status">
          {told}
        </span>
        <Action label={texts.close} question={texts.closeQuestion} tone="danger" act={close} />
      </div>
      <div class="terminal-place" ref={place} />
    </>
  );
}
