/** How a panel gives its answer: the question leaves the screen, and comes back when the answer could not be taken. */
export type Finish = (answer: () => Promise<boolean>) => void;
