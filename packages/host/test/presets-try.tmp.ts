import { explainToolCall } from "../src/explain/explain-permission.ts";
const around = { cwd: "/home/dev/proj", root: "/home/dev/proj", home: "/home/dev", kedgeHome: "/home/dev/.kedge", mode: "default", isSandboxed: false } as const;
for (const [c, rules] of [["git clean -n foo", {"git clean -n*":"allow"}],["git clean -n src/index", {"git clean -n*":"allow"}],["git push origin my-feature", {"git push*":"allow"}],["git push origin fix-deploy", {"git push*":"allow"}],["git branch my-Docs", {"git branch*":"allow"}],["git push origin HEAD:refs/x", {"git push*":"allow"}],["git push origin a-d b", {"git push*":"allow"}],["git worktree remove x-feature",{"git *":"allow"}], ["git gc --prune=now",{"git *":"allow"}],["git reflog expire --all",{"git *":"ask"}]] as const) {
  const set = { source: "user" as const, rules: Object.entries(rules).map(([pattern, action]) => ({ permission: "bash", pattern, action: action as "allow" })) };
  const e = explainToolCall("bash", c, { ...around, rules: [set] }); console.log(e.verdict, c, "|", e.why);
}
