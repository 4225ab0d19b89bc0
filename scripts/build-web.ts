/**
 * Makes `dist/web`: the page of the web app with its service worker, the page on which devices are paired, the page that a
 * relay serves to guests, and their files, each named by a
 * digest of what is in it.
 *
 * What a page needs at once is small; the terminal, languages and charts are files of their own that it loads when they
 * are shown. Nothing is inline, so that the page works under a policy that forbids inline scripts and styles.
 */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { build as bundle } from "vite";
import { inlineTexts } from "./inline-texts.ts";
import { webThemes } from "./web-themes.ts";

export type WebBuild = {
  readonly root: string;
  /** The folder to fill; what an earlier build left there goes. */
  readonly outDirectory: string;
  /** A folder beside it that nobody else uses, so that each file is put in place by one rename. */
  readonly work: string;
};

/** Addresses of files under this name never change their content. */
const assetsFolder = "assets";
/** Where the files of each page are, as the page sees it: the server has them below `/app`, a relay at its root. */
const bases: { readonly [page: string]: string } = { "guest.html": "/", "pair.html": "/app/", "index.html": "/app/" };
/** Files that keep their names, as seen from the package. */
const namedFolder = "src/devices/files";
const workerFile = "service-worker.js";

/** Gives back the files that went into it, as seen from the root. */
export async function buildWeb({ root, outDirectory, work }: WebBuild): Promise<readonly string[]> {
  const sources = new Set<string>();
  const pages = Object.entries(bases);
  // Each by itself, so that neither loads what only the other needs; files of equal content are the same ones.
  for (const [page, base] of pages) await bundlePage({ root, work, page, base, sources });
  await bundleWorker({ root, work, sources });
  for (const name of filesIn(join(root, "packages/web", namedFolder))) {
    copyFileSync(join(root, "packages/web", namedFolder, name), join(work, name));
    sources.add(join("packages/web", namedFolder, name));
  }
  const made = filesIn(work);
  const names = pages.map(([page]) => page);
  // The pages last: who sees one finds the rest.
  for (const name of [...made.filter((each) => !names.includes(each)), ...names]) {
    mkdirSync(join(outDirectory, name, ".."), { recursive: true });
    renameSync(join(work, name), join(outDirectory, name));
  }
  for (const name of filesIn(outDirectory)) if (!made.includes(name)) rmSync(join(outDirectory, name), { force: true });
  return [...sources];
}

type PageBuild = Pick<WebBuild, "root" | "work"> & {
  readonly page: string;
  readonly base: string;
  /** Gets the files that went into it. */
  readonly sources: Set<string>;
};

async function bundlePage({ root, work, page, base, sources }: PageBuild): Promise<void> {
  await bundle({
    configFile: false,
    root: join(root, "packages/web"),
    base,
    logLevel: "warn",
    publicDir: false,
    // The same whatever NODE_ENV says: tests build the program that people get.
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    resolve: { conditions: ["module", "browser", "production"] },
    oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
    plugins: [
      webThemes(root),
      inlineTexts,
      {
        name: "note-sources",
        generateBundle(_, files) {
          for (const file of Object.values(files)) {
            if (file.type === "chunk") for (const id of file.moduleIds) sources.add(relative(root, id));
          }
        },
      },
    ],
    build: {
      outDir: work,
      emptyOutDir: false,
      assetsDir: assetsFolder,
      // A picture inside of a style sheet or script would need another policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: "es2023",
      sourcemap: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(root, "packages/web", page),
        checks: { pluginTimings: false },
      },
    },
  });
}

/** After the page, because it names the files of the page. One file, and no module: that is what all browsers take. */
async function bundleWorker({ root, work, sources }: Pick<PageBuild, "root" | "work" | "sources">): Promise<void> {
  const page = readFileSync(join(work, "index.html"), "utf8");
  const named = [...page.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, file]) => file ?? "");
  const entry = "packages/web/src/devices/service-worker.ts";
  await bundle({
    configFile: false,
    root: join(root, "packages/web"),
    logLevel: "warn",
    publicDir: false,
    define: {
      shellFiles: JSON.stringify(["/app", ...named]),
      shellDigest: JSON.stringify(createHash("sha256").update(page).digest("hex").slice(0, 16)),
    },
    build: {
      outDir: work,
      emptyOutDir: false,
      target: "es2023",
      sourcemap: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(root, entry),
        output: { entryFileNames: workerFile, format: "iife" },
        checks: { pluginTimings: false },
      },
    },
  });
  sources.add(entry);
}

function filesIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}
