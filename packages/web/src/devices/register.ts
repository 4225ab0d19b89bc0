/** Lets the browser keep the shell of the app and receive notices. Only where the page came over TLS: see docs/web.md. */

export const workerAddress = "/app/service-worker.js";

export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  try {
    return await navigator.serviceWorker.register(workerAddress, { scope: "/app" });
  } catch {
    // A browser refuses it while it does not trust the certificate. Everything else works without it.
    return undefined;
  }
}
