/** The schemas that requests of a session carry: what was sent keeps its place, what is found comes behind it. */
import type { EditMode, SessionProfile, SessionState, Tool, ToolSchema } from "@kedge/protocol";
import { isAnswerable } from "./tool-sources.ts";

/** `sent` is the tool as requests carry it, whatever becomes of the one that runs. */
export type PoolEntry = {
  readonly sent: Tool;
  readonly tool: Tool;
  readonly isGone: boolean;
  /** Requests carry it only once the model has found it. */
  readonly isDeferred: boolean;
};

export interface CarriedSchemas {
  /** The same array until a tool joins. */
  schemas(editMode: EditMode): readonly ToolSchema[];
  toolsChanged(): void;
  /** No request has been sent yet, so nothing has a place. */
  forget(): void;
}

export type CarriedParts = {
  readonly profile: Pick<SessionProfile, "interactive">;
  readonly state: Pick<SessionState, "foundTools" | "addedTools">;
  readonly entries: () => ReadonlyMap<string, PoolEntry>;
};

export function createCarriedSchemas({ profile, state, entries }: CarriedParts): CarriedSchemas {
  const carriedBefore = new Map<EditMode, readonly ToolSchema[]>();
  let made: { readonly key: string; readonly schemas: readonly ToolSchema[] } | undefined;

  return {
    schemas(editMode) {
      const all = entries();
      const key = `${editMode} ${state.foundTools.size}`;
      if (made?.key === key) return made.schemas;
      const carried = [...all.values()].filter(
        ({ sent, isDeferred }) =>
          !isDeferred &&
          !state.addedTools.has(sent.name) &&
          isAnswerable(sent, profile) &&
          (sent.editModes?.includes(editMode) ?? true),
      );
      const later = [...state.foundTools].flatMap((name) => all.get(name) ?? []);
      const inOrder = [...carried, ...later.filter((entry) => !carried.includes(entry))];
      // One that was found earlier and is back only now comes behind what requests carried meanwhile.
      const before = carriedBefore.get(editMode) ?? [];
      const fresh = inOrder.filter(({ sent }) => !before.some(({ name }) => name === sent.name));
      const schemas = [
        ...before,
        ...fresh.map(({ sent, isDeferred }) =>
          isDeferred ? { ...schemaOf(sent), isFound: true as const } : schemaOf(sent),
        ),
      ];
      carriedBefore.set(editMode, schemas);
      made = { key, schemas };
      return schemas;
    },
    toolsChanged() {
      made = undefined;
    },
    forget() {
      carriedBefore.clear();
    },
  };
}

export function schemaOf({ name, description, inputSchema }: Tool): ToolSchema {
  return { name, description, inputSchema };
}
