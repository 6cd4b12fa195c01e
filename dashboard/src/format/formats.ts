/** Formats of the languages. To make one takes longer than to draw a row, so that each is made once. */
const known = new Map<string, unknown>()

export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return once(`date ${language} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(language, options))
}

export function numberFormat(language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return once(`number ${language} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(language, options))
}

export function relativeFormat(language: string): Intl.RelativeTimeFormat {
  return once(`relative ${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
}

function once<Format>(key: string, make: () => Format): Format {
  const format = (known.get(key) as Format | undefined) ?? make()
  known.set(key, format)
  return format
}
