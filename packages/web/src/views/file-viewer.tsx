/** One file: text with numbered lines that can be linked, pictures, and the size of everything else. */
import type { Client, QueryAnswers } from "@kedge/protocol";
import { languageOfPath } from "@kedge/tui/drawing";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { coloured } from "../parts/code.ts";
import { coloursVersion, createPageLook } from "../parts/part.tsx";
import { pictureAddress } from "../parts/safe-address.ts";
import { visibleCode, visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/files.ts";
import { Empty, Loaded, Panel } from "./panel.tsx";
import { Scrolling } from "./scrolling.ts";
import { useAsked } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

type FileViewerProps = {
  readonly client: Client;
  readonly path: string;
  readonly hash: string;
  readonly go: ViewProps["go"];
};

export function FileViewer({ client, path, hash, go }: FileViewerProps) {
  const file = useAsked(`file ${path}`, () => client.ask<"file.read">({ type: "file.read", path }));
  return (
    <Panel title={visibleLine(path)}>
      <Loaded of={file} loading={texts.loadingFile}>
        {(value) => <FileContent file={value} path={path} chosen={chosenLines(hash)} go={go} />}
      </Loaded>
    </Panel>
  );
}

type Range = { readonly first: number; readonly last: number };

/** `L12` or `L12-L20`. */
function chosenLines(hash: string): Range | undefined {
  const [, first, last] = /^L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash) ?? [];
  return first === undefined ? undefined : { first: Number(first), last: Number(last ?? first) };
}

type ContentProps = {
  readonly file: QueryAnswers["file.read"];
  readonly path: string;
  readonly chosen: Range | undefined;
  readonly go: ViewProps["go"];
};

/** More lines than this would make the page slow. */
const linesMax = 5_000;

function FileContent({ file, path, chosen, go }: ContentProps) {
  const { encoding, content, mimeType } = file;
  if (encoding === "base64") {
    const source = pictureAddress(mimeType, content);
    const bytes = Math.floor((content.length * 3) / 4);
    if (source !== undefined) return <img src={source} alt={visibleLine(path)} class="file-picture" />;
    return <Empty>{texts.notText(visibleLine(mimeType), bytes.toLocaleString("en-US"))}</Empty>;
  }
  if (content === "") return <Empty>{texts.emptyFile}</Empty>;
  return <FileLines content={content} path={path} chosen={chosen} go={go} />;
}

function FileLines({ content, path, chosen, go }: Omit<ContentProps, "file"> & { readonly content: string }) {
  const look = useMemo(() => createPageLook({}), []);
  const version = coloursVersion();
  const place = useRef<HTMLElement>(null);
  const text = useMemo(() => visibleCode(content.replace(/\n$/, "")), [content]);
  const lines = useMemo(() => look.highlight.spans(text, languageOfPath(path)), [text, path, version]);
  useEffect(() => {
    place.current?.querySelector(".chosen")?.scrollIntoView({ block: "center" });
  }, [chosen?.first, lines.length]);
  return (
    <>
      <Scrolling class="file-lines" label={texts.contentOf(visibleLine(path))} place={place}>
        {lines.slice(0, linesMax).map((line, index) => {
          const number = index + 1;
          const isChosen = chosen !== undefined && number >= chosen.first && number <= chosen.last;
          return (
            <div key={number} class={isChosen ? "file-line chosen" : "file-line"}>
              <a
                href={`#L${number}`}
                aria-label={texts.line(number)}
                onClick={(event) => {
                  event.preventDefault();
                  go(`${location.pathname}#L${number}`);
                }}
              >
                {number}
              </a>
              <code>{coloured(line)}</code>
            </div>
          );
        })}
      </Scrolling>
      {lines.length > linesMax && (
        <p class="view-note">
          {texts.firstLines(linesMax.toLocaleString("en-US"), lines.length.toLocaleString("en-US"))}
        </p>
      )}
    </>
  );
}
