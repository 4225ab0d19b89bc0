/** Variables that keep programs from waiting for a person: no pagers, no editors, no questions. */

/**
 * For commands that only look and run unasked: git neither writes its index nor starts what the repository configured
 * to be told of changes. They override everything.
 */
export const lookingVariables: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: "0",
  // What is missing of a partial clone would be fetched by a program of the repository's choice.
  GIT_NO_LAZY_FETCH: "1",
  GIT_CONFIG_COUNT: "3",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "core.hooksPath",
  GIT_CONFIG_VALUE_1: "/dev/null",
  // To show what changed in a submodule git runs there, by its configuration.
  GIT_CONFIG_KEY_2: "diff.submodule",
  GIT_CONFIG_VALUE_2: "short",
};

/** They override what kedge inherited, but not what a call asks for. */
export const hardeningVariables: Readonly<Record<string, string>> = {
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  BAT_PAGER: "cat",
  DELTA_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  PSQL_PAGER: "cat",
  AWS_PAGER: "",
  LESS: "FRX",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  HGEDITOR: "true",
  SVN_EDITOR: "true",
  KUBE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  GIT_ASKPASS: "/usr/bin/false",
  SSH_ASKPASS: "/usr/bin/false",
  SUDO_ASKPASS: "/usr/bin/false",
  GH_PROMPT_DISABLED: "1",
  CI: "1",
  TERM: "dumb",
  DEBIAN_FRONTEND: "noninteractive",
  NPM_CONFIG_YES: "true",
  NPM_CONFIG_FUND: "false",
  NPM_CONFIG_UPDATE_NOTIFIER: "false",
  YARN_ENABLE_TELEMETRY: "0",
  PIP_NO_INPUT: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_PROGRESS_BAR: "off",
  CONDA_ALWAYS_YES: "true",
  POETRY_NO_INTERACTION: "1",
  COMPOSER_NO_INTERACTION: "1",
  HOMEBREW_NO_AUTO_UPDATE: "1",
  TF_INPUT: "0",
  NEXT_TELEMETRY_DISABLED: "1",
  /** A search path for `cd` would make the same words lead elsewhere. */
  CDPATH: "",
};
