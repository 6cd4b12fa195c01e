/** Signatures of deliveries, as in Standard Webhooks 1.0, computed in the page. */

export interface SignedParts {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: string
  readonly body: string
  /** `whsec_` and base64. */
  readonly secret: string
}

/** Returns false on plain HTTP, where pages have no `crypto.subtle`. */
export function canSign(): boolean {
  return (globalThis.crypto as { subtle?: unknown }).subtle !== undefined
}

/** Returns the header `webhook-signature`, or undefined if the secret has an invalid format. */
export async function signPayload({ id, timestamp, body, secret }: SignedParts): Promise<string | undefined> {
  const keyBytes = readSecret(secret)
  if (keyBytes === undefined) return undefined
  const key = await crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`
}

function readSecret(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const base64 = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(secret.trim())?.[1]
  if (base64 === undefined) return undefined
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
