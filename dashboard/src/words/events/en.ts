/** The words of the viewer of events. The other languages have the same keys, or they do not compile. */
export const en = {
  title: 'Events',
  help: 'Events appear here as they happen, and are kept while this page is open. Nothing is changed by looking.',
  kinds: 'Kinds (none chosen: all)',
  search: 'Events with this text',
  pause: 'Pause',
  resume: 'Continue',
  clear: 'Clear',
  count: (all: number, shown: number) => `${all} came, ${shown} shown`,
  missed: (count: number) => `Paused: ${count} not kept`,
  none: 'No event yet. Write to the account from a phone.',
  choose: 'Choose an event to open it.',
  cut: 'This event is too large to be drawn as a tree.',
  raw: 'As text',
}

export type EventWords = typeof en
