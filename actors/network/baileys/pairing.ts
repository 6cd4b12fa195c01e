import { randomBytes } from 'node:crypto'
import {
  type AuthenticationCreds,
  aesEncryptCTR,
  type BinaryNode,
  bytesToCrockford,
  derivePairingCodeKey,
  getBinaryNodeChild,
  getCompanionPlatformId,
  type WASocket,
} from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import type { BrowserName } from '../../../schemas/session.js'
import type { Pairing } from '../port/connection.js'

// Ours: a QR code that Baileys makes.

export type BrowserTriple = [os: string, browser: string, version: string]

const BROWSERS: Readonly<Record<BrowserName, BrowserTriple>> = {
  auto: ['Mac OS', 'Chrome', '14.4.1'],
  chrome: ['Mac OS', 'Chrome', '14.4.1'],
  safari: ['Mac OS', 'Safari', '14.4.1'],
  firefox: ['Mac OS', 'Firefox', '14.4.1'],
  edge: ['Windows', 'Edge', '10.0.22631'],
}

/**
 * Browser of a pairing by code. The network checks its `companion_platform_display`: it accepts `Chrome (Windows)` and refuses other brands
 * with 400 (Baileys PR 2769, measured 2026-08-12).
 */
export const codeBrowser: BrowserTriple = ['Windows', 'Chrome', '10.0.22631']

/** Returns the browser as which the device registers. */
export function chooseBrowser(pairing: Pairing): BrowserTriple {
  return pairing.by === 'qr' ? BROWSERS[pairing.browser] : codeBrowser
}

const QR_SECRET_FIELD = 3

/**
 * Puts the valid secret into a QR. Baileys reads the secret once per `pair-device`, but the network may retire it (`companion_reg_refresh`,
 * since 2026-07-28: Baileys issue 2737). The text has five fields between commas; the secret is the fourth.
 */
export function withSecret(qr: string, secret: string): string {
  const fields = qr.split(',')
  fields[QR_SECRET_FIELD] = secret
  return fields.join(',')
}

export function newSecret(): string {
  return randomBytes(32).toString('base64')
}

/** Acknowledges a notification before the login: the library does so only once it knows an account (Baileys PR 2749). */
export function acknowledgeNotification(
  socket: WASocket,
  credentials: AuthenticationCreds,
  { attrs }: BinaryNode,
  logger: Logger,
): void {
  if (credentials.me !== undefined) return
  const ack: BinaryNode = {
    tag: 'ack',
    attrs: {
      id: attrs.id ?? '',
      to: attrs.from ?? 's.whatsapp.net',
      class: 'notification',
      type: attrs.type ?? '',
    },
  }
  socket
    .sendNode(ack)
    .catch((error: unknown) => logger.debug({ error: String(error) }, 'An acknowledgement was not sent.'))
}

/** Number of references that are added to those of the network: each lasts 20 s, and a pairing with a passkey up to 20 minutes. */
const EXTRA_REFS = 60

/**
 * Adds empty references to those of the network, before the library reads them. The library ends the connection when it has drawn a QR of
 * the last one, and with it a pairing that is past the QR.
 */
export function extendReferences(node: BinaryNode): void {
  const offer = getBinaryNodeChild(node, 'pair-device')
  if (offer === undefined || !Array.isArray(offer.content)) return
  for (let index = 0; index < EXTRA_REFS; index += 1)
    offer.content.push({ tag: 'ref', attrs: {}, content: Buffer.alloc(0) })
}

/** Returns true for a QR of an empty reference. */
export function isExhausted(qr: string): boolean {
  return qr.slice(qr.indexOf('#') + 1).startsWith(',')
}

export function newPairingCode(): string {
  return bytesToCrockford(randomBytes(5))
}

/**
 * Makes the first stanza of a pairing by code. It is sent as a query, so that the network can refuse before anybody sees a code: Baileys'
 * `requestPairingCode` returns before the network has answered (Baileys issue 2737).
 */
export async function companionHello(credentials: AuthenticationCreds, code: string, jid: string): Promise<BinaryNode> {
  const salt = randomBytes(32)
  const iv = randomBytes(16)
  const key = await derivePairingCodeKey(code, salt)
  const wrapped = Buffer.concat([salt, iv, aesEncryptCTR(credentials.pairingEphemeralKeyPair.public, key, iv)])
  const [os, browser] = codeBrowser
  const child = (tag: string, content: Uint8Array | string): BinaryNode => ({ tag, attrs: {}, content })
  return {
    tag: 'iq',
    attrs: { to: 's.whatsapp.net', type: 'set', xmlns: 'md' },
    content: [
      {
        tag: 'link_code_companion_reg',
        attrs: { jid, stage: 'companion_hello', should_show_push_notification: 'true' },
        content: [
          child('link_code_pairing_wrapped_companion_ephemeral_pub', wrapped),
          child('companion_server_auth_key_pub', credentials.noiseKey.public),
          child('companion_platform_id', getCompanionPlatformId(codeBrowser)),
          child('companion_platform_display', `${browser} (${os})`),
          child('link_code_pairing_nonce', '0'),
        ],
      },
    ],
  }
}
