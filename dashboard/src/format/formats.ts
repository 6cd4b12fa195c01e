/** Formats of the languages. To make one takes longer than to draw a row, so that each is made once. */
const known = new Map<string, unknown>()

export function makeDateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return makeOnce(`date ${language} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(language, options))
}

export function makeNumberFormat(language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return makeOnce(`number ${language} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(language, options))
}

export function makeRelativeFormat(language: string): Intl.RelativeTimeFormat {
  return makeOnce(`relative ${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
}

function makeOnce<Format>(key: string, make: () => Format): Format {
  const format = (known.get(key) as Format | undefined) ?? make()
  known.set(key, format)
  return format
}
