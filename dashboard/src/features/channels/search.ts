/** Search parameters of the page of channels. */
export interface ChannelSearch {
  /** The channel that is open. */
  readonly channel?: string
}

export function readChannelSearch({ channel }: Record<string, unknown>): ChannelSearch {
  return typeof channel === 'string' && isChannelId(channel) ? { channel } : {}
}

/** Returns whether a text has the form of a channel's id. */
function isChannelId(text: string): boolean {
  const [digits = '', server] = text.split('@')
  return server === 'newsletter' && digits.length >= 5 && digits.length <= 25 && /^\d+$/.test(digits)
}
