/** The `read` tool: numbered lines of a text or web page, the text of a document, a picture, or entries of a directory. */
import { dirname, join, resolve } from "node:path";
import { isJsonObject, type JsonSchema, type Need, type Tool, type ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { needAddress, parseAddress, withoutFileScheme } from "../addresses/address.ts";
import { readAddress } from "../addresses/read-address.ts";
import { openRegularFile } from "../file-content.ts";
import { parseInput } from "../tool-input.ts";
import { absolutePath, needPath, shortPath } from "../tool-path.ts";
import { type Contained, splitContained } from "./contained.ts";
import { createPageArtifacts } from "./page-artifacts.ts";
import { artifactPrefix, readArtifact, readMissing } from "./read-missing.ts";
import { readOpened } from "./read-opened.ts";
import { isWebAddress, readPage, splitAddress } from "./read-page.ts";
import type { ReadCall, ReadInput, ReadMemory, ReadParts } from "./read-parts.ts";
import { selectLines, type Target } from "./selection.ts";
import { splitSelector } from "./selector.ts";
import { createShownReads } from "./shown-reads.ts";
import { conflictPrefix, findConflict, readConflict } from "./text/read-conflicts.ts";

export type { ReadInput, ReadParts };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    filePath: { type: "string", minLength: 1 },
    offset: { type: "integer", minimum: 1, description: "first line" },
    limit: { type: "integer", minimum: 1, description: "number of lines" },
    pages: { type: "string", description: 'of a PDF, such as "1-5"' },
  },
  required: ["filePath"],
};

/** One for each session, because it knows what it has shown. Without parts a missing path is not looked for elsewhere. */
export function createReadTool(parts?: ReadParts): Tool<ReadInput> {
  const memory: ReadMemory = { shownReads: createShownReads(), pageArtifacts: createPageArtifacts() };
  return {
    name: "read",
    description: textBeside(import.meta.url, "./read.md"),
    inputSchema,
    resultCharactersMax: 60_000,
    parse: (input) => parseInput<ReadInput>(inputSchema, withFilePath(input)),
    needs: (input, cwd) => needsOf(input.filePath, cwd, parts),
    readOnly: () => true,
    concurrencySafe: () => true,
    run: (input, context) => readTarget({ input, context, parts, memory }),
  };
}

/** Models that know other tools say `path`, and lists of skills name files by URL. */
function withFilePath(input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  const named = input["filePath"] ?? input["path"];
  const filePath = typeof named === "string" ? withoutFileScheme(named) : named;
  return filePath === input["filePath"] ? input : { ...input, filePath };
}

/** Which of several files a colon means is seen only when it is opened, so each of them must be permitted. */
function needsOf(filePath: string, cwd: string, parts: ReadParts | undefined): readonly Need[] {
  if (isWebAddress(filePath)) return needsOfPage(filePath, parts);
  if (filePath.startsWith(conflictPrefix)) return needsOfConflict(filePath, cwd, parts);
  const contained = splitContained(filePath);
  if (contained === undefined && !filePath.includes(":")) return needPath("read", "read", filePath, cwd);
  const splits = splitSelector(filePath);
  const address = parseAddress(filePath);
  // What looks like lines may belong to the address of a server, so that a rule sees all of it.
  if (address?.scheme === "mcp") return [needAddress("read", filePath)];
  if (address !== undefined) return [needAddress("read", splits.at(-1)?.path ?? filePath)];
  const named = [filePath, ...splits.map(({ path }) => path), ...(contained === undefined ? [] : pathsOf(contained))];
  const paths = [...new Set(named.map((path) => resolve(cwd, path)))];
  const patterns = paths.map((path) => shortPath(path, cwd));
  if (contained?.kind === "database") {
    // A statement is no pattern: what was allowed for one is allowed for the whole database.
    const database = shortPath(resolve(cwd, contained.container), cwd);
    return [{ permission: "read", patterns, always: [database, `${database}*`], access: "read", paths }];
  }
  return [{ permission: "read", patterns, always: patterns, access: "read", paths }];
}

function needsOfPage(filePath: string, parts: ReadParts | undefined): readonly Need[] {
  const { url } = splitAddress(filePath);
  return parts?.pages?.needs(url) ?? [needAddress("read", url)];
}

/** What stands in a conflict stands in its file. */
function needsOfConflict(filePath: string, cwd: string, parts: ReadParts | undefined): readonly Need[] {
  const region = findConflict(filePath, parts?.conflicts).region;
  return region === undefined ? [needAddress("read", filePath)] : needPath("read", "read", region.path, cwd);
}

/** The containing file; a path in an archive also as if it were unpacked there, by which rules and secrets know it. */
function pathsOf({ kind, container, inner }: Contained): readonly string[] {
  if (kind === "database") return [container];
  const names = [inner, ...splitSelector(container + inner).map(({ path }) => path.slice(container.length))];
  const members = names.filter((name) => name.length > 1).map((name) => name.slice(1));
  return [container, ...members.flatMap((member) => [`${container}/${member}`, join(dirname(container), member)])];
}

async function readTarget(call: ReadCall): Promise<ToolOutput> {
  const { input, context } = call;
  const { filePath } = input;
  if (filePath.startsWith(artifactPrefix)) return readArtifact(call);
  if (filePath.startsWith(conflictPrefix)) return readConflict(call);
  if (isWebAddress(filePath)) return readPage(call);
  if (parseAddress(filePath) !== undefined) return readAddress(call);
  // Steps upwards inside of an archive must not become steps upwards beside it.
  if (filePath.includes("/..") && splitContained(filePath) !== undefined) return readMissing(call);
  const path = absolutePath(context.cwd, filePath);
  // A name that really has a colon wins over a selector.
  const opened = openRegularFile(path);
  // A statement behind a database can be too long for a name.
  if (opened.kind === "missing" || (opened.kind === "refused" && splitContained(filePath) !== undefined))
    return readMissing(call);
  const target: Target = {
    path,
    title: shortPath(path, context.cwd),
    selection: selectLines(input),
    pages: input.pages,
    isRemembered: true,
  };
  return readOpened(opened, target, call);
}
