/** The gates of one session, loaded with the first call that may change something: at the start they cost 2 to 3 ms. */

import type { EngineParts } from "../parts.ts";
import type { changedPaths, gateCall, PremiseWatch } from "./index.ts";

export type LoadedGates = {
  readonly gateCall: typeof gateCall;
  readonly changedPaths: typeof changedPaths;
  readonly premise: PremiseWatch;
};

export interface SessionGates {
  /** Undefined until `load` was awaited once. */
  loaded(): LoadedGates | undefined;
  load(): Promise<LoadedGates>;
}

export function createSessionGates({ machine, workspace, clock }: EngineParts): SessionGates {
  let loading: Promise<LoadedGates> | undefined;
  let gates: LoadedGates | undefined;

  async function open(): Promise<LoadedGates> {
    const { changedPaths, createPremiseWatch, gateCall } = await import("./index.ts");
    const { root, home } = workspace;
    gates = { gateCall, changedPaths, premise: createPremiseWatch({ machine, root, home, now: clock.now }) };
    return gates;
  }

  return {
    loaded: () => gates,
    load() {
      loading ??= open();
      return loading;
    },
  };
}
