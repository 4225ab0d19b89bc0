/** Runs commands that only look in a read-only view of the machine: without network, secrets, or a way to other processes. */
import { closeSync, lstatSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HiddenFiles, Look } from "@kedge/protocol";
import { createHardLinkNames } from "../../hard-link-names.ts";
import { checkLooks, type LookCheck } from "../check-sandbox.ts";
import { type CommandToConfine, firstDescriptor } from "../confine-command.ts";
import { makePrivateDirectory } from "../private-directory.ts";
import { isWithin, outermost, temporaryDirectories } from "../sandbox-profile.ts";
import { filterArchitectureOf, systemCallFilter } from "../system-call-filter.ts";
import { createCommittedContent } from "./committed-content.ts";
import { createHiddenListing, type HiddenListing } from "./hidden-listing.ts";
import { hiddenPlaces, readablePlace, shownSystemPlaces } from "./hidden-places.ts";
import { type LookMounts, lookArguments, lookNamespaces } from "./look-arguments.ts";
import { lookEnvironment } from "./look-environment.ts";
import { type LookEnd, type LookOutcome, lookOutcome } from "./look-outcome.ts";

export type LookViewParts = {
  readonly platform: string;
  readonly architecture: string;
  readonly isRoot: boolean;
  /** Where programs are looked for; the directories of the system if left out. */
  readonly directories?: readonly string[];
  /** A private directory is made in it. */
  readonly temporaryRoot: string;
  /** The workspace first, then the directories added to it. All exist, and are resolved. */
  readonly roots: readonly string[];
  readonly home: string;
  /** Where kedge keeps its own files. */
  readonly own: readonly string[];
  /** Shown although they lie in there. */
  readonly shown: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where commands have temporary files of their own: the directory, or `none` as long as there is none. */
  readonly temporary?: () => string | "none";
};

export type LookCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** To be handed on from `firstDescriptor` on. */
  readonly descriptors: readonly number[];
  /** Called once, when the process has gone or could not be started. */
  release(): Promise<void>;
  outcomeOf(end: LookEnd): LookOutcome;
};

export interface LookView {
  /** Once; what it found holds for this process. */
  check(): Promise<LookCheck>;
  /** Gives a sentence in the place of a command that cannot be confined; it never starts without. */
  wrap(command: CommandToConfine, look: Look): Promise<LookCommand | { readonly problem: string }>;
  close(): void;
}

/** The view has its own, with nothing of the machine in them: what a link of the project names there is another file or none. */
const ownPlaces: readonly string[] = ["/proc", "/dev"];

/** Each takes 0.1 to 0.2 ms of every look. */
const hiddenFilesMax = 64;

/** With the hidden files of the workspace, for whoever explains a result. */
type ViewMounts = LookMounts & { readonly inWorkspace: readonly string[] };

type Setup = { readonly directory: string; readonly closedFile: string; readonly filter: string };

/** Nothing is started or written before the first look. */
export function createLookView(parts: LookViewParts): LookView {
  const committed = createCommittedContent();
  const hardLinkNames = createHardLinkNames({ directories: [], trees: outermost(parts.roots), now: parts.now });
  const listings = new WeakMap<HiddenFiles, HiddenListing>();
  let checking: Promise<LookCheck> | undefined;
  let setup: Setup | undefined;

  const check = () => {
    checking ??= checkLooks(parts).then((checked) => {
      // Nothing is known then, and the next look may be luckier.
      if (!checked.ok && checked.missing === "answer") checking = undefined;
      return checked;
    });
    return checking;
  };

  function listingFor(hidden: HiddenFiles): HiddenListing {
    const known = listings.get(hidden);
    if (known !== undefined) return known;
    const listing = createHiddenListing({ roots: outermost(parts.roots), hidden, now: parts.now });
    listings.set(hidden, listing);
    return listing;
  }

  function filesToHide({ hidden, shown, onlyNames }: Look): readonly string[] | { readonly problem: string } {
    const listed = listingFor(hidden).find();
    if ("problem" in listed) return listed;
    const isThere = (path: string) => !ownPlaces.some((place) => isWithin(path, place));
    const candidates = [...new Set(listed)].filter(
      (path) => !shown.includes(path) && isThere(path) && isHideable(path),
    );
    const ruled = candidates.filter((path) => hidden.isClosedByRule(path));
    const kept = committed.among(candidates.filter((path) => !ruled.includes(path)));
    const open = onlyNames ? new Set([...kept, ...ruled]) : kept;
    const alone = candidates.filter((path) => !open.has(path));
    const linked = alone.filter(hasSeveralNames).map(hardLinkNames);
    if (linked.some(({ mayHaveMore }) => mayHaveMore))
      return { problem: "the project has too many files to find every name of the hidden ones" };
    const others = linked.flatMap(({ names }) => names).filter((path) => !shown.includes(path));
    const files = [...new Set([...alone, ...others])];
    if (files.length <= hiddenFilesMax) return files;
    return { problem: `the project has ${files.length} files that may contain secrets, too many to hide` };
  }

  function mountsFor(look: Look, cwd: string): ViewMounts | { readonly problem: string } {
    const files = filesToHide(look);
    if ("problem" in files) return files;
    // Under another name it would open more than what was judged, and a directory more than its name.
    const opened = look.shown.filter((path) => isHideable(path) && readablePlace(path)[0] === path);
    const places = placesToHide(look.hidden).filter((place) => !opened.includes(place));
    const temporary = parts.temporary && { path: parts.temporary(), places: temporaryDirectories };
    const covered = [...places, ...(temporary?.places ?? [])];
    const isCovered = (path: string) => covered.some((place) => isWithin(path, place));
    const openedInside = opened.filter((path) => places.some((place) => isWithin(path, place)));
    const shown = [
      ...[...parts.roots, ...parts.shown, ...shownSystemPlaces].flatMap(readablePlace),
      ...openedInside,
    ].filter(isCovered);
    const isSeen = (path: string) => !isCovered(path) || shown.some((one) => isWithin(path, one));
    if (!isSeen(cwd)) return { problem: `${cwd} is hidden there` };
    return {
      hiddenFiles: [...files.filter(isSeen), ...places.filter(isHideable)],
      hiddenDirectories: places.filter((path) => !isHideable(path)),
      shown: outermost(shown),
      closedFile: open().closedFile,
      inWorkspace: files,
      ...(temporary !== undefined && { temporary }),
    };
  }

  function placesToHide(hidden: HiddenFiles): readonly string[] {
    // Rules may name what is above the workspace, which cannot be hidden as a whole; its own files are judged one by one.
    const isNarrow = (place: string) => ![...parts.roots, parts.home].some((path) => isWithin(path, place));
    const named = hidden.places.flatMap(readablePlace).filter(isNarrow);
    const own = parts.own.flatMap(readablePlace).filter((place) => !parts.roots.includes(place));
    return outermost([...hiddenPlaces(parts.home), ...own, ...named]);
  }

  function open(): Setup {
    setup ??= makeSetup(parts);
    return setup;
  }

  return {
    check,
    async wrap(command, look) {
      const checked = await check();
      if (!checked.ok) return { problem: `${checked.sentence} ${checked.howTo}` };
      const closed = look.histories?.map((at) => committed.closedAt(at, look.hidden.isClosedByRule)).find(Boolean);
      if (closed !== undefined) return { problem: `${closed}, which git may show` };
      const mounts = mountsFor(look, command.cwd);
      if ("problem" in mounts) return mounts;
      const { hasTerminal = false } = command;
      const { filter } = open();
      const args = lookArguments(
        mounts,
        { ...command, hasTerminal, filterDescriptor: firstDescriptor },
        lookNamespaces(checked),
      );
      const opened = hasTerminal ? [] : [openSync(filter, "r")];
      return {
        ...(hasTerminal ? openingFilter(checked.bwrapPath, args, filter) : { file: checked.bwrapPath, args }),
        environment: lookEnvironment(command.environment),
        descriptors: opened,
        async release() {
          for (const descriptor of opened) closeSync(descriptor);
        },
        outcomeOf: (end) => lookOutcome(end, { hidden: mounts.inWorkspace, isRoot: parts.isRoot }),
      };
    },
    close() {
      if (setup !== undefined) rmSync(setup.directory, { recursive: true, force: true });
      setup = undefined;
    },
  };
}

function makeSetup({ temporaryRoot, architecture }: LookViewParts): Setup {
  const known = filterArchitectureOf(architecture);
  if (known === undefined) throw new Error("The machine was checked before.");
  const directory = makePrivateDirectory(temporaryRoot, "look");
  const closedFile = join(directory, "closed");
  const filter = join(directory, "filter");
  writeFileSync(closedFile, "", { mode: 0o000 });
  writeFileSync(filter, systemCallFilter(known), { mode: 0o400 });
  return { directory, closedFile, filter };
}

/** Whether it is there and no directory. */
function isHideable(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** Covering one name of a file leaves it open under the others. */
function hasSeveralNames(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.nlink > 1;
}

/** A terminal's library hands no descriptors on. */
function openingFilter(bwrapPath: string, args: readonly string[], filter: string) {
  const text = `filter=$1; shift; exec "$@" ${firstDescriptor}<"$filter"`;
  return { file: "/bin/sh", args: ["-c", text, "sh", filter, bwrapPath, ...args] };
}
