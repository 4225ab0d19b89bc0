/** The ids that things of another kedge's session have here: a new one for each, and the same one every time. */

export type AdoptedIds = {
  renamed(id: string, prefix: string): string;
  promptId(fact: { readonly promptId: string }): { readonly promptId: string };
  runId(fact: { readonly runId: string }): { readonly runId: string };
  stepId(fact: { readonly stepId: string }): { readonly stepId: string };
  /** Items of a step are named after it: `stp_1.results` belongs to `stp_1`. One that nobody made stays unknown. */
  item<Name extends string>(name: Name, id: string | undefined): { readonly [Key in Name]?: string };
};

export function createAdoptedIds(newId: (prefix: string) => string): AdoptedIds {
  const ids = new Map<string, string>();

  function renamed(id: string, prefix: string): string {
    const known = ids.get(id) ?? newId(prefix);
    ids.set(id, known);
    return known;
  }

  return {
    renamed,
    promptId: (fact) => ({ promptId: renamed(fact.promptId, "prm_") }),
    runId: (fact) => ({ runId: renamed(fact.runId, "run_") }),
    stepId: (fact) => ({ stepId: renamed(fact.stepId, "stp_") }),
    item<Name extends string>(name: Name, id: string | undefined) {
      if (id === undefined) return {};
      const dot = id.indexOf(".");
      const owner = ids.get(dot === -1 ? id : id.slice(0, dot));
      const place = owner === undefined ? undefined : owner + (dot === -1 ? "" : id.slice(dot));
      // The one key is the name itself.
      return (place === undefined ? {} : { [name]: place }) as { readonly [Key in Name]?: string };
    },
  };
}
