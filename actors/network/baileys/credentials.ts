import { type AuthenticationCreds, BufferJSON, initAuthCreds } from '@whiskeysockets/baileys'

/** Makes credentials of a device that is not paired yet. */
export function newCredentials(): AuthenticationCreds {
  return initAuthCreds()
}

export function encodeCredentials(credentials: AuthenticationCreds): Uint8Array {
  return Buffer.from(JSON.stringify(credentials, BufferJSON.replacer), 'utf8')
}

export function decodeCredentials(bytes: Uint8Array): AuthenticationCreds {
  return JSON.parse(Buffer.from(bytes).toString('utf8'), BufferJSON.reviver) as AuthenticationCreds
}

/** Returns whether the account's phone has signed this device. An unfinished pairing by code sets `me`, but no `account`. */
export function isPaired(credentials: AuthenticationCreds): boolean {
  return credentials.account !== undefined && credentials.me !== undefined
}
