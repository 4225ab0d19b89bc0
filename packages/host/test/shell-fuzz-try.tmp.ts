import { place } from "./shell-cases-measure.ts";
import { explainCommand } from "../src/explain/explain-permission.ts";
const rules = { "*": "allow", "rm *": "deny" };
for (const c of [
"cat <<E\na $( time { case a in a) ls ;& b) ls -la; rm x\nesac\n}\n) b\nE",
"cat <<E\n$( case a in a) ls ;; b) rm x\nesac\n)\nE",
"cat <<E\n$( case a in a) ls ;; b) rm x;; esac )\nE",
"cat <<E\n$( { case a in a) ls ;; b) rm x;; esac; } )\nE",
"cat <<E\n$( time case a in a) rm x;; esac )\nE",
"cat <<E\n$( time { rm x; } )\nE",
"cat <<E\n$( time rm x )\nE",
"cat <<E\n$( ls; case a in a) rm x;; esac )\nE",
"cat <<E\n$( if ls; then case a in a) rm x;; esac; fi )\nE",
"cat <<E\n$( time { case a in a) rm x;; esac; } )\nE",
"cat <<E\n$( time { case a in (a) rm x;; esac; } )\nE",
"echo \"$( time { case a in a) rm x;; esac; } )\"",
"echo $( time { case a in a) rm x;; esac; } )",
"echo ${x:-$( time { case a in a) rm x;; esac; } )}",
"cat <<E\n$( ! { case a in a) rm x;; esac; } )\nE",
"cat <<E\n$( time -p case a in a) rm x;; esac )\nE",
"cat <<E\n$( f() { case a in a) rm x;; esac; } )\nE",
"cat <<E\n$( ls | case a in a) rm x;; esac )\nE",
"cat <<E\n$( ls && case a in a) rm x;; esac )\nE",
"cat <<E\n$( coproc case a in a) rm x;; esac )\nE",
"cat <<E\n$( echo case a in )$( rm x )\nE",
"cat <<E\n$( A=1 case a in a) rm x;; esac )\nE",
"cat <<E\n$( for case in a; do rm x; done )\nE",
]) { const e = explainCommand(c, rules, place); console.log(e.ok && e.explanation.verdict, JSON.stringify(c), e.ok && e.explanation.why.slice(0,150)); }
