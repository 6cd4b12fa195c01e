/** Turns a time of a campaign, `YYYY-MM-DD HH:MM:SS.FFF` in UTC, into ISO 8601. */
export function readUtcTime(text: string): string {
  return text === '' ? '' : `${text.replace(' ', 'T')}Z`
}
