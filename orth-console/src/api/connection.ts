import { createStore } from "../lib/store";

/** Whether the server answered when it was last asked. */
export const reachable = createStore(true);

/** Set when the server answered 401 to a page that was open; the login is then shown on top of it. */
export const sessionLost = createStore(false);
