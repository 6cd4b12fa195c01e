/** Usernames of people on the network. The `@` in front is for people: the name itself has none. */
import { GatewayError } from './errors.js'

// Bound: 1,048,576, a field of a request.

/** A username as a caller gives it, and the key that its owner may have put on it. */
export interface AskedUsername {
  readonly username: string
  /** Empty when none was given. */
  readonly key: string
}

const USERNAME_MAX = 35
/** Ends of names that would look like an address of a site or a file (zapo `src/protocol/username.ts`). */
const DOMAIN_ENDS = ['.com', '.org', '.net', '.int', '.edu', '.gov', '.mil', '.arpa', '.html', '.htm', '.txt', '.xml']

/** Ends of JIDs. A caller who sends one has left out what stands before it. */
const JID_ENDS = new Set(['g.us', 'c.us', 'lid', 'broadcast', 'newsletter', 'hosted', 'hosted.lid'])

/** Returns whether a text from the network can be a username. */
export function isUsername(text: unknown): text is string {
  return typeof text === 'string' && reasonAgainst(text) === null
}

/**
 * Parses `@name` or `@name:key`. Returns null for a text that does not start with `@`: it is a number or a JID.
 * @param field the name of the field that holds it, for the error
 * @throws GatewayError INVALID_NUMBER
 */
export function parseUsername(input: string, field = 'number'): AskedUsername | null {
  const text = input.trim()
  if (!text.startsWith('@')) return null
  // Bound: 100, cut here.
  const [username = '', key = '', ...rest] = text.slice(1, 101).split(':')
  const why = rest.length > 0 ? 'may have one colon, before the key of the username' : reasonAgainst(username)
  if (JID_ENDS.has(username.toLowerCase())) throw invalid('is the end of a JID without its beginning', field)
  if (why !== null) throw invalid(why, field)
  if (text.includes(':') && !/^(\d{4}|[A-Za-z0-9]{6})$/.test(key))
    throw invalid('has a key that is neither 4 digits nor 6 letters and digits', field)
  return { username, key }
}

function reasonAgainst(name: string): string | null {
  if (name.length < 3 || name.length > USERNAME_MAX)
    return `is a username of less than 3 or more than ${USERNAME_MAX} characters`
  if (!/^[A-Za-z0-9_.]+$/.test(name)) return 'is a username with other characters than letters, digits, `_` and `.`'
  if (!/[A-Za-z]/.test(name)) return 'is a username without a letter'
  if (name.startsWith('.') || name.endsWith('.') || name.includes('..'))
    return 'is a username with a dot at an end, or two in a row'
  const lower = name.toLowerCase()
  if (lower.startsWith('www.') || DOMAIN_ENDS.some((end) => lower.endsWith(end)))
    return 'is a username like the address of a site'
  return null
}

function invalid(why: string, field: string): GatewayError {
  return new GatewayError('INVALID_NUMBER', { message: `Invalid ${field}: it ${why}.`, details: [{ field, why }] })
}
