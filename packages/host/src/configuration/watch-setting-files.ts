/** Notices when a settings file of this user or this project is written, made or removed. */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { settingFormats } from "./setting-file.ts";
import type { ConfigurationSources } from "./setting-layers.ts";

/** Editors write a file in several steps, and one look at the end is enough. */
const quietMs = 100;

export type SettingFilesWatch = {
  readonly onChange: () => Promise<void>;
  /** Told why a change could not be followed; the next one is followed all the same. */
  readonly onFailure: (error: unknown) => void;
};

/** The function given back ends it. Neither the watching nor the waiting keeps a process alive. */
export function watchSettingFiles(
  sources: ConfigurationSources,
  { onChange, onFailure }: SettingFilesWatch,
): () => void {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let latest = Promise.resolve();

  const look = () => {
    arm();
    // One after the other: what an earlier look found is what the next one compares with.
    // Where even the telling fails nobody is left to tell, and that must not end the process.
    latest = latest
      .then(onChange)
      .catch(onFailure)
      .catch(() => undefined);
  };

  const follow = (directory: string, names: ReadonlySet<string>) => {
    if (watchers.has(directory)) return;
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        if (name !== null && !names.has(name)) return;
        clearTimeout(timer);
        if (!isClosed) timer = setTimeout(look, quietMs).unref();
      });
      // The directory went away; if it comes back, its parent tells.
      watcher.on("error", () => forget(directory));
      watchers.set(directory, watcher);
    } catch (error) {
      // There is no such directory yet, or the system has no watch left: then changes count at the next start.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  };

  const forget = (directory: string) => {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  };

  const arm = () => {
    for (const [directory, names] of namesByDirectory(sources)) follow(directory, names);
  };

  arm();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    for (const directory of [...watchers.keys()]) forget(directory);
  };
}

function namesByDirectory({ home, projectRoot, cwd, environment, files }: ConfigurationSources) {
  const spellings = (stem: string) => settingFormats.map((format) => `${stem}.${format}`);
  const given = environment["KEDGE_CONFIG"];
  const paths = [
    ...spellings(join(home, "config")),
    ...spellings(join(projectRoot, "kedge")),
    // So that a folder made later is watched as well.
    join(projectRoot, ".kedge"),
    ...spellings(join(projectRoot, ".kedge", "config")),
    ...spellings(join(projectRoot, ".kedge", "config.local")),
    ...[...(given ? [given] : []), ...files].map((file) => resolve(cwd, file)),
  ];
  const names = new Map<string, Set<string>>();
  for (const path of paths) {
    const directory = dirname(path);
    names.set(directory, (names.get(directory) ?? new Set()).add(basename(path)));
  }
  return names;
}
