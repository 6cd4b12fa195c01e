export const contactScopes = ['all', 'address_book', 'outside_address_book'] as const
export type ContactScope = (typeof contactScopes)[number]

/** Search parameters of the page of contacts. */
export interface ContactSearch {
  readonly scope?: ContactScope
}

export function contactSearch({ scope }: Record<string, unknown>): ContactSearch {
  const chosen = contactScopes.find((one) => one === scope && one !== 'all')
  return chosen === undefined ? {} : { scope: chosen }
}
