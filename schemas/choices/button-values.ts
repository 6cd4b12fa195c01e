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
