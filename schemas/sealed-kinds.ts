/** Kinds of what is stored sealed beside the keys of an account, as far as several rooms know them. */

/** Sends that wait for an answer of the network before their row is written. They name files of this installation, and never travel. */
export const FIRST_SEND_KIND = 'first-send'

/** Messages whose content the account's phone is asked for. */
export const WAITING_MESSAGE_KIND = 'waiting-message'

/** Channels whose live updates are wanted, each with the time until which. */
export const CHANNEL_UPDATES_KIND = 'channel-updates'

/** What stays when the account is logged out: the next login ends it, with its events. All else are keys of the former device. */
export const KINDS_AFTER_LOGOUT: ReadonlySet<string> = new Set([FIRST_SEND_KIND, WAITING_MESSAGE_KIND])
