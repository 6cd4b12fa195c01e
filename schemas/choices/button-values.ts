/** As `expandPlaceholders` finds them. */
export const PLACEHOLDER = /\{\{[^{}]{1,300}\}\}/g

/** As `dialable`; one with placeholders is looked at around them, and again when they are filled. */
export function dialableToFill(value: string): string | null {
  const sample = dialable(value.replace(PLACEHOLDER, '000'))
  return sample === null || !value.includes('{{') ? sample : value
}

/** As `webAddress`; one with placeholders is looked at around them, and again when they are filled. */
export function webAddressToFill(value: string): string | null {
  const sample = value.replace(PLACEHOLDER, 'x')
  if (sample === value) return webAddress(value)
  // What it begins with may be the scheme.
  if (value.startsWith('{{')) return value
  const address = webAddress(sample)
  return address === null ? null : address === sample ? value : `https://${value}`
}

/** A number as a phone can dial it, null when it is none; short and national ones are left as they are. */
export function dialable(value: string): string | null {
  const phone = value.replace(/[\s().-]/g, '')
  return /^\+?\d{3,20}$/.test(phone) ? phone : null
}

/** `example.com` means the site; other schemes are not taken, for clients open web pages only. Null when it is no address. */
export function webAddress(value: string): string | null {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(value)
  const url = hasScheme ? value : `https://${value}`
  if (value === '' || /\s/.test(url) || !/^https?:/i.test(url) || !URL.canParse(url)) return null
  // `mailto:me@example.com` would become a site with a user named mailto.
  return !hasScheme && new URL(url).username !== '' ? null : url
}
