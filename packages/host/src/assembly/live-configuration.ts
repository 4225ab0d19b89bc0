/** The settings that may change while kedge runs; every other one stays as it was at the start. */
import type { Configuration } from "../configuration/load-configuration.ts";

export type LiveConfiguration = Pick<Configuration, "env" | "web" | "model"> & {
  /** The model counts for the next session; `env` and `web` change only when the user asks for a reload. */
  readonly apply: (next: Configuration, when: "at once" | "on reload") => void;
};

export function createLiveConfiguration(configuration: Configuration): LiveConfiguration {
  let { env, web, model } = configuration;
  return {
    get env() {
      return env;
    },
    get web() {
      return web;
    },
    get model() {
      return model;
    },
    apply(next, when) {
      model = next.model;
      if (when === "on reload") ({ env, web } = next);
    },
  };
}
