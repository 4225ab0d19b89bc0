/** What a program says to a query: what it works on, within which limits, and who answers what it asks. */
import type {
  Client,
  JsonObject,
  Media,
  PermissionMode,
  PermissionRequest,
  Question,
  RunOptions,
} from "@kedge/protocol";

/** What a program says about one call. `session` lets the like of it pass until kedge ends, `project` for good. */
export type ToolAnswer =
  | {
      readonly behavior: "allow";
      readonly lasting?: "session" | "project";
      /** Runs in the place of what the model gave, for this once. */
      readonly updatedInput?: JsonObject;
    }
  | { readonly behavior: "deny"; readonly message?: string };

export type RequestOptions = {
  /** Aborted when the request is settled without this program, or the run is over. */
  readonly signal: AbortSignal;
};

export type QueryOptions = {
  readonly client: Client;
  /** Goes on with this session; without it a new one begins. */
  readonly sessionId?: string;
  readonly model?: string;
  readonly mode?: PermissionMode;
  readonly attachments?: readonly Media[];
  /** Turn and money limits, the schema of the answer, and how hard to think. */
  readonly run?: RunOptions;
  /** Asked before a call that needs an answer; without it such calls are rejected. */
  readonly canUseTool?: (request: PermissionRequest, options: RequestOptions) => ToolAnswer | Promise<ToolAnswer>;
  /** Asked when the model has a question; without it, or with undefined, the question is answered with nothing. */
  readonly onQuestion?: (
    questions: readonly Question[],
    options: RequestOptions,
  ) => readonly string[] | undefined | Promise<readonly string[] | undefined>;
  /** Interrupts the run; what was done so far stays. A run that has not ended five seconds later is left to itself. */
  readonly signal?: AbortSignal;
};
