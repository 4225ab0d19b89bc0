/** Starts the page that a relay serves to guests: a shared session at `/`, a sealed copy at `/s/<id>`. */
import "virtual:themes.css";
import "../frame/page.css";
import "../frame/controls.css";
import "../session/session.css";
import "./guest.css";
import { render } from "preact";
import { GuestPage } from "./guest-page.tsx";
import { takeLink } from "./take-link.ts";

const link = takeLink(window);
// A link that is pasted over this page changes only the part behind `#`, which loads nothing by itself.
window.addEventListener("hashchange", () => window.location.reload());

const place = document.getElementById("app");
if (place !== null) render(<GuestPage link={link} />, place);
