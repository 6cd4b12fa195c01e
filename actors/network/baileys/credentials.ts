import { type AuthenticationCreds, BufferJSON, initAuthCreds } from '@whiskeysockets/baileys'

// Ours: the credentials of an instance, as we stored them.

/** Makes credentials of a device that is not paired yet. */
export function newCredentials(): AuthenticationCreds {
  return initAuthCreds()
}

export function encodeCredentials(credentials: AuthenticationCreds): Uint8Array {
  return Buffer.from(JSON.stringify(credentials, BufferJSON.replacer), 'utf8')
}

export function decodeCredentials(bytes: Uint8Array): AuthenticationCreds {
  const revive = (name: string, value: unknown): unknown => {
    const revived: unknown = BufferJSON.reviver(name, value)
    return revived instanceof Uint8Array ? unpooled(revived) : revived
  }
  return JSON.parse(Buffer.from(bytes).toString('utf8'), revive) as AuthenticationCreds
}

/**
 * Copies bytes that are kept for long. A small buffer is a part of a block of 8 KiB of Node.js, and keeps all of it: the credentials of an
 * account kept 12 KiB so.
 */
export function unpooled(bytes: Uint8Array): Buffer {
  const copy = Buffer.alloc(bytes.length)
  copy.set(bytes)
  return copy
}

/** Returns whether the account's phone has signed this device. An unfinished pairing by code sets `me`, but no `account`. */
export function isPaired(credentials: AuthenticationCreds): boolean {
  return credentials.account !== undefined && credentials.me !== undefined
}
