import { isObject } from '../../../lib/is-object.js'

// Bound: 1,048,576, a field of a request.

export interface ChatwootSecrets {
  readonly token: string
  /** Last part of the path of its webhook. */
  readonly path: string
  /** Key of the signatures of its webhook; empty when it is not known. */
  readonly signature: string
}

/** Returns null if it is no JSON of these. */
export function parseChatwootSecrets(json: string): ChatwootSecrets | null {
  try {
    // Bound: 10,000, secrets as we stored them, or of an imported file.
    const parsed: unknown = JSON.parse(json)
    if (!isObject(parsed)) return null
    const { token, path, signature } = parsed
    const isWhole = typeof token === 'string' && typeof path === 'string' && typeof signature === 'string'
    // The path alone lets webhooks in where Chatwoot does not sign them.
    return isWhole && token !== '' && /^[0-9a-f]{48}$/.test(path) ? { token, path, signature } : null
  } catch {
    return null
  }
}
