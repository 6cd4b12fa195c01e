/** The words of filters that a person keeps. The other languages have the same keys, or they do not compile. */
export const en = {
  saved: 'Saved filters',
  choose: 'Saved filters…',
  save: 'Save this filter',
  forget: 'Forget this filter',
  name: 'Name of the filter',
  nameHelp: 'It is kept in this browser, also after the sign-out.',
  keep: 'Save',
  full: (max: number) => `There are ${max} saved filters. Forget one first.`,
  notKept: 'This browser keeps nothing for this page.',
}

export type SavedWords = typeof en
