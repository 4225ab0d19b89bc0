/** Starts the web app in the page that the server sends for every address of it. */
import "virtual:themes.css";
import "./frame/page.css";
import "./frame/controls.css";
import "./session/session.css";
import "./dialogs/dialogs.css";
import { render } from "preact";
import { App, startPage } from "./app/app.tsx";

const place = document.getElementById("app");
// On this machine itself, the server is there whenever the page is of use.
if (location.protocol === "https:") void import("./devices/register.ts").then(({ registerWorker }) => registerWorker());

if (place !== null) render(<App page={startPage()} />, place);
