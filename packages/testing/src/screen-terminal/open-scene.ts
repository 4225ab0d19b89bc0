/** kedge in a terminal, with a home, a project and a scripted model of its own. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { borrowCodeCaches, lendCodeCaches } from "../code-caches.ts";
import type { MockScript } from "../mock-model/script.ts";
import { openScreenTerminal, type ScreenTerminal } from "./open-screen-terminal.ts";
import { type PacedModel, startPacedModel } from "./paced-model.ts";

export type SceneOptions = {
  /** The built program: `kedge.js` of a build. */
  readonly entry: string;
  /** What the model says; or the address of a model that runs elsewhere. */
  readonly script: MockScript | { readonly baseUrl: string };
  readonly arguments?: readonly string[];
  /** Words before the command, such as a shell that runs it as `"$@"`. */
  readonly through?: readonly string[];
  /** `provider/model`. A provider that kedge knows brings its own prices and window. */
  readonly model?: string;
  /** Members of `config.json`. */
  readonly settings?: { readonly [name: string]: unknown };
  /** Members of `tui.json`. */
  readonly tuiSettings?: { readonly [name: string]: unknown };
  /** The name of the project below the home; all that the screen tells of the place. */
  readonly projectName?: string;
  /** Files of the project, in its first commit. */
  readonly files?: { readonly [path: string]: string };
  readonly environment?: { readonly [name: string]: string };
  readonly columns?: number;
  readonly rows?: number;
  readonly background?: string;
};

export interface Scene {
  readonly terminal: ScreenTerminal;
  /** The user's; nothing of the real one is read. */
  readonly home: string;
  readonly kedgeHome: string;
  readonly project: string;
  /** Undefined where the model runs elsewhere. */
  readonly model: PacedModel | undefined;
  /** Ends the program and starts it again in the same place, in a new terminal. */
  restart(arguments_?: readonly string[]): Promise<ScreenTerminal>;
  close(): Promise<void>;
}

const modelDefault = "mock/mock-model";

export async function openScene(options: SceneOptions): Promise<Scene> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "kedge-scene-")));
  const kedgeHome = join(home, ".kedge");
  const project = join(home, options.projectName ?? "project");
  const model = "baseUrl" in options.script ? undefined : await startPacedModel(options.script);
  const baseUrl = "baseUrl" in options.script ? options.script.baseUrl : (model?.baseUrl ?? "");
  mkdirSync(kedgeHome);
  borrowCodeCaches(kedgeHome);
  writeFileSync(join(kedgeHome, "config.json"), JSON.stringify(settingsOf(options, baseUrl)));
  if (options.tuiSettings !== undefined) {
    writeFileSync(join(kedgeHome, "tui.json"), JSON.stringify(options.tuiSettings));
  }
  makeProject(project, options.files ?? {}, home);
  const start = (argv: readonly string[]) => {
    const [command = "", ...words] = [...(options.through ?? []), process.execPath, options.entry, ...argv];
    return openScreenTerminal({
      command,
      arguments: words,
      cwd: project,
      environment: {
        ...ownEnvironment(home),
        KEDGE_HOME: kedgeHome,
        KEDGE_KEYRING: "off",
        ...options.environment,
      },
      ...(options.columns !== undefined && { columns: options.columns }),
      ...(options.rows !== undefined && { rows: options.rows }),
      ...(options.background !== undefined && { background: options.background }),
    });
  };
  let terminal = await start(options.arguments ?? []);
  return {
    get terminal() {
      return terminal;
    },
    ...{ home, kedgeHome, project, model },
    async restart(argv = []) {
      await terminal.close();
      terminal = await start(argv);
      return terminal;
    },
    async close() {
      await terminal.close();
      await model?.close();
      lendCodeCaches(kedgeHome);
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function settingsOf({ model = modelDefault, settings }: SceneOptions, baseUrl: string): object {
  const [provider = ""] = model.split("/");
  const wire = model === modelDefault ? { api: "openai-chat" } : {};
  return {
    model,
    provider: { [provider]: { ...wire, baseURL: baseUrl, apiKey: "key-of-the-scene" } },
    titles: { enabled: false },
    ...settings,
  };
}

function makeProject(project: string, files: { readonly [path: string]: string }, home: string): void {
  const git = (...words: readonly string[]) =>
    execFileSync("git", [...words], { cwd: project, env: { ...ownEnvironment(home), ...author } });
  mkdirSync(project);
  git("init", "--quiet", "--initial-branch=main");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message=The beginning");
}

const author = {
  GIT_AUTHOR_NAME: "A Person",
  GIT_AUTHOR_EMAIL: "person@example.org",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "A Person",
  GIT_COMMITTER_EMAIL: "person@example.org",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

/** The tools of the machine, and nothing of its user. */
function ownEnvironment(home: string): { readonly [name: string]: string } {
  const path = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  return { PATH: path, HOME: home, TZ: "UTC" };
}
