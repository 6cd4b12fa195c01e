/** The words of the window with the last calls. The other languages have the same keys, or they do not compile. */
export const en = {
  title: 'Calls of this page',
  help: 'The last things that were done here, as a client would do them. Secrets are left out.',
  withReads: 'Also what was only read',
  none: 'Nothing was changed here yet.',
}

export type RecentCallWords = typeof en
