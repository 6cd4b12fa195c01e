import { readNumberText } from '../number-text.js'

// Bound: 65,536, a value of a button.

/** As `expandPlaceholders` finds them. */
export const PLACEHOLDER = /\{\{[^{}]{1,300}\}\}/g

/** As `dialable`; one with placeholders is looked at around them, and again when they are filled. */
export function dialableToFill(value: string): string | null {
  const sample = dialable(value.replace(PLACEHOLDER, '555'))
  return sample === null || !value.includes('{{') ? sample : value
}

/** As `webAddress`; one with placeholders is looked at around them, and again when they are filled. */
export function webAddressToFill(value: string): string | null {
  const encoded = withoutSpaces(value.trim())
  const sample = encoded.replace(/^mailto:\{\{[^{}]{1,300}\}\}/i, 'mailto:x@x.xx').replace(PLACEHOLDER, 'x')
  if (sample === encoded) return webAddress(encoded)
  // A placeholder at the start may hold the scheme.
  if (encoded.startsWith('{{')) return encoded
  const address = webAddress(sample)
  return address === null ? null : address === sample ? encoded : `https://${encoded}`
}

/** A number as a phone can dial it, null when it is none; short and national ones are left as they are. */
export function dialable(value: string): string | null {
  const read = readNumberText(value)
  if ('why' in read || !/^\d{3,20}$/.test(read.digits)) return null
  return read.isInternational ? `+${read.digits}` : read.digits
}

/**
 * Returns the address that a button opens: `example.com` means the site, spaces are encoded, `mailto:` opens a new mail. Null for
 * anything else, other schemes included.
 */
export function webAddress(value: string): string | null {
  const encoded = withoutSpaces(value.trim())
  if (/^mailto:/i.test(encoded)) return MAIL.test(encoded) ? encoded : null
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(encoded)
  const url = hasScheme ? encoded : `https://${encoded}`
  if (encoded === '' || !/^https?:/i.test(url) || !URL.canParse(url)) return null
  // `me@example.com` would become a site with a user named me.
  return !hasScheme && new URL(url).username !== '' ? null : url
}

const MAIL = /^mailto:[^\s@?]{1,200}@[^\s@?/]{1,200}\.[^\s@?/.]{2,60}(\?\S*)?$/i

/** Encodes spaces as in an address, but not those within the braces of a placeholder. */
function withoutSpaces(value: string): string {
  return value.replace(/\{\{[^{}]{1,300}\}\}|\s/g, (found) =>
    found.startsWith('{{') ? found : encodeURIComponent(found),
  )
}
