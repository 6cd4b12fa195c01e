export const contactScopes = ['all', 'address_book', 'outside_address_book'] as const
export type ContactScope = (typeof contactScopes)[number]

/** Search parameters of the page of contacts. */
export interface ContactSearch {
  readonly scope?: ContactScope
  /** Part of a name, or of a number. */
  readonly text?: string
}

const TEXT_MAX = 100

export function readContactSearch({ scope, text }: Record<string, unknown>): ContactSearch {
  const chosen = contactScopes.find((one) => one === scope && one !== 'all')
  // A router reads digits in an address as a number.
  const typed = typeof text === 'string' || typeof text === 'number' ? String(text).slice(0, TEXT_MAX) : ''
  return { ...(chosen === undefined ? {} : { scope: chosen }), ...(typed === '' ? {} : { text: typed }) }
}
