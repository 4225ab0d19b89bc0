/** Texts of notifications, which the service worker shows while the page is closed. */

export const needsYou = "kedge needs you";
