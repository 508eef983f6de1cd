import { createStore } from "../lib/store";

/** What the last answers tell about the way to the server. */
export type Connection = { live: boolean; lastAnswerAt: Date | null };

export const connection = createStore<Connection>({ live: true, lastAnswerAt: null });

export const answered = (at: Date): void => connection.set({ live: true, lastAnswerAt: at });

export const unreachable = (): void => {
  const { live, lastAnswerAt } = connection.get();
  if (live) {
    connection.set({ live: false, lastAnswerAt });
  }
};

/** Set when the server answered 401 to a page that was open; the login is then shown on top of it. */
export const sessionLost = createStore(false);
