/** The first word of the command line of the engine's thread; outside of a thread it means nothing. */
export const engineThreadWord = "engine-thread";
