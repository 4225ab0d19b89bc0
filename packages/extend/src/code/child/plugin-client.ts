/** The client that OpenCode's plugins are given: the few calls that kedge can answer, and a sentence for every other. */

export type ClientParts = {
  readonly log: (level: string, text: string) => void;
};

type Body = { readonly body?: { readonly [name: string]: unknown } };

/** Every path of names is callable; one that kedge does not know rejects and says so. */
export function createPluginClient({ log }: ClientParts): object {
  const known: { readonly [path: string]: (given: Body) => unknown } = {
    "app.log": ({ body = {} }) => {
      const { level = "info", message = "", service } = body;
      log(String(level), service === undefined ? String(message) : `${service}: ${message}`);
      return { data: true };
    },
    "tui.showToast": ({ body = {} }) => {
      log("notice", String(body["message"] ?? ""));
      return { data: true };
    },
  };

  function memberAt(path: string): object {
    return new Proxy(() => undefined, {
      get(_, name) {
        // A promise is told by its `then`, and this is none.
        if (typeof name === "symbol" || (path !== "" && name === "then")) return undefined;
        return memberAt(path === "" ? name : `${path}.${name}`);
      },
      async apply(_, __, [given = {}]) {
        const answer = known[path];
        if (answer === undefined) throw new Error(`client.${path} is not available in kedge`);
        return answer(given as Body);
      },
    });
  }

  return memberAt("");
}
