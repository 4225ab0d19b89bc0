/** One tool call as everybody shows it: what the terminal, the web, an export and the console say in their own form. */
import type { Todo } from "../contracts/tool.ts";

export type OutputLine = { readonly text: string; readonly stream: "stdout" | "stderr" };

/** What stands below the line of a call. Texts are as tools and models wrote them: whoever shows them makes them safe. */
export type ToolBody =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string; readonly isError: boolean }
  /** A unified diff, of several files where there are several. */
  | { readonly kind: "diff"; readonly path: string; readonly patch: string }
  /** What was replaced by what, where no diff was kept. */
  | { readonly kind: "replacement"; readonly path: string; readonly before: string; readonly after: string }
  | {
      readonly kind: "terminal";
      readonly command: string;
      readonly output: readonly OutputLine[];
      readonly exitCode?: number;
    }
  | { readonly kind: "checklist"; readonly items: readonly Pick<Todo, "content" | "status">[] }
  /** Counts first; `count` is absent where a file itself was what was looked for. */
  | {
      readonly kind: "search";
      readonly pattern: string;
      readonly groups: readonly { readonly path: string; readonly count?: number }[];
      readonly isCut: boolean;
    }
  | { readonly kind: "page"; readonly host: string; readonly bytes?: number; readonly text: string }
  | {
      readonly kind: "question";
      readonly items: readonly {
        readonly question: string;
        readonly options: readonly string[];
        readonly answer?: string;
      }[];
    }
  | { readonly kind: "json"; readonly input: string; readonly output: string };

export type ToolStatus = "pending" | "running" | "done" | "failed" | "refused" | "interrupted";

/** `verb` is said before the number: "read 5 files", but "2 searches". */
export type GroupNoun = { readonly verb?: string; readonly one: string; readonly many: string };

export type ToolDisplay = {
  /** How a person calls the tool. */
  readonly name: string;
  /** What it acts on, in one line. */
  readonly title: string;
  readonly status: ToolStatus;
  /** The result in a few words; empty where there is nothing to tell. */
  readonly summary: string;
  readonly durationMs?: number;
  readonly body: ToolBody;
  /** It only looked at something, so it may be folded together with its neighbours. */
  readonly isQuiet: boolean;
  /** What it counts as in such a group; without it, it joins and is not counted. */
  readonly groupNoun?: GroupNoun;
  /** Between kedge and the model alone: transcripts leave it out, exports and the whole text have it. */
  readonly isHidden?: true;
};

/** What one kind of tool says of its calls; the rest is the same for all. */
export type Described = Pick<ToolDisplay, "name" | "title"> &
  Partial<Pick<ToolDisplay, "summary" | "body" | "isQuiet" | "groupNoun" | "isHidden">>;
