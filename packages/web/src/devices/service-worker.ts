/**
 * Keeps the shell of the app for when the server cannot be reached, and shows notices. It answers for the page and its
 * files only. Whatever belongs to a session passes by it untouched, so that none of it is ever kept.
 */
import * as texts from "../texts/notices.ts";

/** Put in by the build: the page with the files it names, and a digest of them. */
declare const shellFiles: readonly string[];
declare const shellDigest: string;

type Extendable = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Extendable & { readonly request: Request; respondWith(answer: Promise<Response>): void };
type Pushed = Extendable & { readonly data: { text(): string } | null };
type Clicked = Extendable & { readonly notification: Notification };
type WindowClient = {
  readonly focused: boolean;
  readonly visibilityState: string;
  focus(): Promise<WindowClient>;
  navigate(address: string): Promise<WindowClient | null>;
};

/** What of its global scope is used here; the types of the page have another one. */
type WorkerScope = {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>;
    openWindow(address: string): Promise<WindowClient | null>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(type: "push", listener: (event: Pushed) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Clicked) => void): void;
};

const worker = globalThis as unknown as WorkerScope;
const prefix = "kedge-shell-";
const cacheName = prefix + shellDigest;
const page = "/app";

worker.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(forgetOld().then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  // Named by their content: what is kept under a name is what the server would send.
  if (/^\/app\/assets\/[^/]+$/.test(pathname)) event.respondWith(asset(request));
  else if (request.mode === "navigate" && isOfApp(pathname)) event.respondWith(shell(request));
});

worker.addEventListener("push", (event) => {
  event.waitUntil(show(event.data?.text() ?? ""));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});

async function keepShell(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(shellFiles.map((file) => new Request(file, { credentials: "omit", cache: "reload" })));
}

async function forgetOld(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Pages of its own, such as the one for pairing, are not the app. */
function isOfApp(pathname: string): boolean {
  return pathname === page || (pathname.startsWith(`${page}/`) && pathname !== "/app/pair" && !/\.\w+$/.test(pathname));
}

async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

/** The page is the same at each of its addresses. The newest one, if the server answers. */
async function shell(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    const kept = await (await caches.open(cacheName)).match(page, { ignoreVary: true });
    return kept ?? Response.error();
  }
}

/** What the server sent: which kind of thing waits, and where. */
function noticeIn(text: string): { readonly title: string; readonly link: string } {
  const usual = { title: texts.needsYou, link: page };
  try {
    const { title, link } = JSON.parse(text) as { readonly title?: unknown; readonly link?: unknown };
    const isOwn = typeof link === "string" && /^\/app\/session\/[\w-]+$/.test(link);
    return { title: typeof title === "string" ? title.slice(0, 100) : usual.title, link: isOwn ? link : page };
  } catch {
    return usual;
  }
}

async function show(text: string): Promise<void> {
  const { title, link } = noticeIn(text);
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  // Whoever looks at the app sees it there.
  if (windows.some(({ focused, visibilityState }) => focused && visibilityState === "visible")) return;
  await worker.registration.showNotification(title, { data: link, tag: link, icon: "/app/icon-192.png" });
}

async function open(link: string): Promise<void> {
  const [window] = await worker.clients.matchAll({ type: "window", includeUncontrolled: false });
  if (window === undefined) {
    await worker.clients.openWindow(link);
    return;
  }
  await window.focus();
  await window.navigate(link);
}
