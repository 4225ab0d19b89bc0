/** The files of the project: a tree that is read folder by folder, a search by name, and a viewer with lines to link to. */
import type { Client } from "@kedge/protocol";
import { useState } from "preact/hooks";
import { visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/files.ts";
import { FileViewer } from "./file-viewer.tsx";
import { Empty, Loaded } from "./panel.tsx";
import { useAsked } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

export default function Files({ client, rest: path, hash, go }: ViewProps) {
  const [wanted, setWanted] = useState("");
  const open = (file: string) => go(fileAddress(file));
  return (
    <div class="files">
      <nav class="file-tree" aria-label={texts.title}>
        <input
          class="file-search"
          type="search"
          aria-label={texts.findByName}
          placeholder={texts.find}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        {wanted.trim() === "" ? (
          <Folder client={client} path="." current={path} open={open} />
        ) : (
          <FoundFiles client={client} text={wanted.trim()} open={open} />
        )}
      </nav>
      <div>
        {path === "" ? (
          <Empty>{texts.chooseFile}</Empty>
        ) : (
          <FileViewer key={path} client={client} path={path} hash={hash} go={go} />
        )}
      </div>
    </div>
  );
}

export function fileAddress(path: string, line?: number): string {
  const address = `/app/files/${path.split("/").map(encodeURIComponent).join("/")}`;
  return line === undefined ? address : `${address}#L${line}`;
}

type FolderProps = {
  readonly client: Client;
  readonly path: string;
  readonly current: string;
  readonly open: (path: string) => void;
};

function Folder({ client, path, current, open }: FolderProps) {
  const listed = useAsked(`list ${path}`, () => client.ask<"file.list">({ type: "file.list", path }));
  return (
    <Loaded of={listed} loading={texts.loading}>
      {({ entries, isCut }) => (
        <>
          <ul>
            {entries.map((entry) => (
              <li key={entry.path}>
                {entry.kind === "directory" ? (
                  <SubFolder
                    client={client}
                    path={entry.path}
                    isIgnored={entry.isIgnored === true}
                    current={current}
                    open={open}
                  />
                ) : (
                  <a
                    class={entry.isIgnored ? "tree-entry ignored" : "tree-entry"}
                    href={fileAddress(entry.path)}
                    aria-current={entry.path === current ? "page" : undefined}
                    onClick={(event) => {
                      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                      event.preventDefault();
                      open(entry.path);
                    }}
                  >
                    {visibleLine(nameOf(entry.path))}
                  </a>
                )}
              </li>
            ))}
          </ul>
          {isCut && <p class="view-note">{texts.moreEntries}</p>}
        </>
      )}
    </Loaded>
  );
}

type SubFolderProps = FolderProps & { readonly isIgnored: boolean };

/** Open where it leads to the file that is shown. */
function SubFolder({ isIgnored, ...folder }: SubFolderProps) {
  const [isOpen, setOpen] = useState(folder.current.startsWith(`${folder.path}/`));
  return (
    <>
      <button
        type="button"
        class={isIgnored ? "tree-entry ignored" : "tree-entry"}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "▾" : "▸"} {visibleLine(nameOf(folder.path))}
      </button>
      {isOpen && <Folder {...folder} />}
    </>
  );
}

function nameOf(path: string): string {
  return path.replace(/\/$/, "").split("/").at(-1) ?? path;
}

const foundMax = 50;

type FoundProps = { readonly client: Client; readonly text: string; readonly open: (path: string) => void };

function FoundFiles({ client, text, open }: FoundProps) {
  const found = useAsked(`find ${text}`, () => client.ask<"file.find">({ type: "file.find", text, limit: foundMax }));
  return (
    <Loaded of={found} loading={texts.searching}>
      {({ paths }) =>
        paths.length === 0 ? (
          <Empty>{texts.noMatch}</Empty>
        ) : (
          <ul>
            {paths.map((path) => (
              <li key={path}>
                <button type="button" class="tree-entry" title={visibleLine(path)} onClick={() => open(path)}>
                  {visibleLine(path)}
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
