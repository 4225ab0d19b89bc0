/** Names of variables that decide which program runs, or what it loads: no hook sets them for commands. */
const heldNames =
  /^(?:PATH|HOME|IFS|SHELL|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|LD_.*|DYLD_.*|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_.*|KEDGE_.*)$/;

export function isHeldVariable(name: string): boolean {
  return heldNames.test(name);
}
