/** A process of its own: one prompt with or without telemetry, and a line that tells when the SDK was loaded. */
import { registerHooks } from "node:module";

const loaded = new Set<string>();
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("@opentelemetry/")) loaded.add(specifier);
    return next(specifier, context);
  },
});

// Loaded only now, so that nothing is resolved unseen.
const { openSite } = await import("./collector-site.ts");
const [endpoint = "", enabled = ""] = process.argv.slice(2);
let loadedAtRequest = -1;
const site = await openSite({
  script: () => {
    loadedAtRequest = loaded.size;
    return { text: "Fine." };
  },
  settings: { telemetry: { enabled: enabled === "on", endpoint } },
});
await site.play("hi");
const loadedAtEnd = loaded.size;
// By hand, because on a busy machine it takes longer than the two seconds that the last sending has.
if (enabled === "on") await import("../../src/telemetry/otlp-sender.ts");
await site.close();
process.stdout.write(JSON.stringify({ loadedAtRequest, loadedAtEnd, loadedAtClose: loaded.size }));
