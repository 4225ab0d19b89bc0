/** Actions that tools of this file prepared, until they are applied or discarded. */
import type { Json } from "@kedge/protocol";

type Fields = { readonly [name: string]: unknown };

export type Pushed = { readonly id: string; readonly label: string };

export type ChildActions = {
  /** As omp calls it: `{ label, apply(reason), reject?(reason) }`. */
  push(action: unknown): Pushed;
  end(id: string, action: "apply" | "discard", reason: string): Promise<Json>;
};

export function createChildActions(): ChildActions {
  const actions = new Map<string, Fields>();
  let count = 0;
  return {
    push(given) {
      const action: Fields = typeof given === "object" && given !== null ? (given as Fields) : {};
      if (typeof action["apply"] !== "function") throw new TypeError("a pending action needs a function apply");
      count += 1;
      // Unique among all files, of which each has a process of its own.
      const id = `act_${process.pid}_${count}`;
      actions.set(id, action);
      return { id, label: String(action["label"] ?? "an action") };
    },
    async end(id, wanted, reason) {
      const action = actions.get(id);
      if (action === undefined) throw new Error("its process was restarted, and the action is lost");
      const method = wanted === "apply" ? action["apply"] : (action["reject"] ?? action["discard"]);
      const result: unknown = typeof method === "function" ? await Reflect.apply(method, action, [reason]) : "";
      actions.delete(id);
      return textOf(result);
    },
  };
}

/** A text, or what tools give back. */
function textOf(result: unknown): string {
  if (typeof result === "string") return result;
  const { content, output } = (typeof result === "object" && result !== null ? result : {}) as Fields;
  if (typeof output === "string") return output;
  return Array.isArray(content) ? content.map((part) => String((part as Fields)?.["text"] ?? "")).join("") : "";
}
