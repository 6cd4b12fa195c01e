/** Search parameters of the page of leads. */
export interface LeadSearch {
  readonly view?: 'board'
  readonly name?: string
  readonly status?: string
  readonly open?: true
  /** The chat beside the board, the message to which it jumps, and the text that is searched for in it. */
  readonly chat?: string
  readonly message?: string
  readonly text?: string
}

export function readLeadSearch({ view, name, status, open, chat, message, text }: Record<string, unknown>): LeadSearch {
  return {
    ...(view === 'board' ? { view } : {}),
    ...readTexts({ name, status, ...(view === 'board' ? { chat, message, text } : {}) }),
    ...(open === true ? { open } : {}),
  }
}

/** A router reads digits in an address as a number. */
function readTexts(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const pairs = Object.entries(given).flatMap(([field, value]) =>
    (typeof value === 'string' && value !== '') || typeof value === 'number'
      ? [[field, String(value).slice(0, 100)]]
      : [],
  )
  return Object.fromEntries(pairs) as Record<string, string>
}
