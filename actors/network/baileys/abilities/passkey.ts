import type { Boom } from '@hapi/boom'
import {
  type AuthenticationCreds,
  type BinaryNode,
  getBinaryNodeChild,
  proto,
  type WASocket,
} from '@whiskeysockets/baileys'
import { errorText } from '../../../../lib/error-text.js'
import { GatewayError } from '../../../../schemas/errors.js'
import type { PasskeyAssertion } from '../../../../schemas/session.js'
import type { DisconnectCause } from '../../port/events.js'
import type { PasskeyNetwork } from '../../port/passkey.js'
import { isPaired } from '../credentials.js'
import type { LiveSocket } from '../live-socket.js'
import { acknowledgeNotification, newSecret } from '../pairing.js'
import {
  type Agreement,
  agree,
  encryptPairingRequest,
  handoffKey,
  handoffProof,
  makePrologue,
  type Prologue,
  type ReadOptions,
  readPasskeyOptions,
  readPrimaryIdentity,
} from '../passkey/crypto.js'

// Bound: 65,536, a text or attribute of a stanza.

/** Time in which the network must answer each request. */
const ANSWER_MAX_MS = 20_000
/** Time after the scan in which the phone takes the proof of it. */
const HANDOFF_MAX_MS = 5 * 60_000
/** Maximum of challenges over one connection. */
const CHALLENGES_MAX = 5

export interface PasskeyParts {
  readonly live: LiveSocket
  /** Name of the browser with which the device registers; null while it is paired. */
  readonly browser: string | null
  readonly isEnabled: boolean
  /** Ends the connection. */
  readonly end: (cause: DisconnectCause, code: number, detail?: string) => void
}

/**
 * The companion's side of a pairing with a passkey. The gateway is no authenticator: a person signs the challenge on a page of
 * whatsapp.com, since no other page may use that key. All keys of the ceremony live as long as the connection.
 */
export class BaileysPasskey implements PasskeyNetwork {
  readonly #parts: PasskeyParts
  #challenges = 0
  /** Proves which companion the phone has scanned. */
  #handoff: { readonly key: Buffer; readonly sinceMs: number } | undefined
  #prologue: Prologue | undefined
  #isProven = false
  #agreement: Agreement | undefined

  constructor(parts: PasskeyParts) {
    this.#parts = parts
  }

  /** True once the network has asked for a passkey. The QR is of no use from then on. */
  get isBegun(): boolean {
    return this.#challenges > 0
  }

  /** Handles the network's challenge, which follows the scan of a QR or the entry of a code. */
  async onChallenge(node: BinaryNode): Promise<void> {
    const pairing = this.#pairing(node)
    if (pairing === null) return
    const { socket, credentials } = pairing
    const { live, isEnabled, end } = this.#parts
    if (!isEnabled) {
      end('passkeyRequired', 0)
      return
    }
    this.#challenges += 1
    if (this.#challenges > CHALLENGES_MAX) {
      end('passkeyFailed', 0, 'WhatsApp asked for too many signatures')
      return
    }
    this.#handoff = {
      key: handoffKey(Buffer.from(credentials.advSecretKey, 'base64')),
      sinceMs: performance.now(),
    }
    // The phone gets the new secret at the end of the ceremony, encrypted.
    credentials.advSecretKey = newSecret()
    socket.ev.emit('creds.update', { advSecretKey: credentials.advSecretKey })
    const options = optionsIn(node) ?? (await this.#askForOptions(socket))
    if (options === null) end('passkeyFailed', 0, 'the challenge of WhatsApp could not be read')
    else live.emit({ type: 'passkey', ...options })
  }

  async respond(assertion: PasskeyAssertion, compareCode: boolean): Promise<void> {
    const { browser } = this.#parts
    await this.#orEnd('WhatsApp did not take the signature', async (socket) => {
      const ref = readContent(await ask(socket, 'get', { tag: 'ref', attrs: {} }), 'ref')
      if (ref === null) throw new Error('WhatsApp sent no reference.')
      const prologue = makePrologue(ref.toString('utf8'), platformType(browser))
      // The phone's half may arrive before the answer.
      this.#prologue = prologue
      const proof = this.#takeProof(prologue, compareCode)
      this.#isProven = proof !== null
      const content = [
        leaf('credential_id', Buffer.from(assertion.rawId, 'base64url')),
        leaf('webauthn_assertion', Buffer.from(JSON.stringify(assertion))),
        leaf('prologue_payload', prologue.payload),
        ...(proof === null ? [] : [leaf('pairing_handoff_proof', proof)]),
      ]
      await ask(socket, 'set', { tag: 'passkey_prologue', attrs: {}, content })
    })
  }

  /** Handles the phone's half of the ceremony. */
  async onContinuation(node: BinaryNode): Promise<void> {
    const prologue = this.#prologue
    if (this.#pairing(node) === null || prologue === undefined) return
    this.#prologue = undefined
    const identity = readContent(node, 'primary_ephemeral_identity')
    const primary = identity === null ? null : readPrimaryIdentity(identity)
    const agreement = primary === null ? null : agree(prologue, primary)
    if (agreement === null) {
      this.#parts.end('passkeyFailed', 0, "the phone's half of the ceremony could not be read")
      return
    }
    this.#agreement = agreement
    try {
      await this.#orEnd('WhatsApp did not take our half of the ceremony', (socket) =>
        ask(socket, 'set', leaf('companion_nonce', prologue.nonce)),
      )
      this.#parts.live.emit({ type: 'passkeyCode', code: this.#isProven ? null : agreement.code })
      if (this.#isProven) await this.confirm()
    } catch {
      // The end of the connection has the reason.
    }
  }

  async confirm(): Promise<void> {
    const agreement = this.#agreement
    this.#agreement = undefined
    await this.#orEnd('WhatsApp did not take the keys of this device', async (socket, credentials) => {
      if (agreement === undefined) throw new Error('The pairing has no key for the encryption.')
      const { noiseKey, signedIdentityKey, advSecretKey } = credentials
      const keys = {
        noise: noiseKey.public,
        identity: signedIdentityKey.public,
        advSecret: Buffer.from(advSecretKey, 'base64'),
      }
      await ask(socket, 'set', leaf('encrypted_pairing_request', encryptPairingRequest(agreement.key, keys)))
    })
  }

  /** Acknowledges a notification of the network's server; null if it came from elsewhere, or the device is paired already. */
  #pairing(node: BinaryNode): { socket: WASocket; credentials: AuthenticationCreds } | null {
    const { socket, credentials, logger } = this.#parts.live
    if (socket === undefined || credentials === undefined || isPaired(credentials)) return null
    if (!/^@?s\.whatsapp\.net$/.test(node.attrs.from ?? '')) return null
    acknowledgeNotification(socket, credentials, node, logger)
    return { socket, credentials }
  }

  async #askForOptions(socket: WASocket): Promise<ReadOptions | null> {
    try {
      return optionsIn(await ask(socket, 'get', { tag: 'passkey_request_options', attrs: {} }))
    } catch {
      return null
    }
  }

  /** Returns the proof of the scan, once and while the phone takes it; null if codes are to be compared instead. */
  #takeProof({ payload }: Prologue, compareCode: boolean): Buffer | null {
    const handoff = this.#handoff
    this.#handoff = undefined
    if (compareCode || handoff === undefined || performance.now() - handoff.sinceMs >= HANDOFF_MAX_MS) return null
    return handoffProof(handoff.key, payload)
  }

  /** Does a step that is not repeated: if it fails, the pairing ends, since a second attempt may cost the account. */
  async #orEnd<T>(what: string, work: (socket: WASocket, credentials: AuthenticationCreds) => Promise<T>): Promise<T> {
    const { live, end } = this.#parts
    const { socket, credentials } = live
    if (socket === undefined || credentials === undefined || live.isClosed)
      throw new GatewayError('INSTANCE_NOT_CONNECTED')
    try {
      return await live.whileOpen(work(socket, credentials))
    } catch (error) {
      const { data, output } = error as Partial<Boom<unknown>>
      // The network's code; without an answer, the library's own for a time-out.
      const code = typeof data === 'number' ? data : (output?.statusCode ?? 0)
      live.logger.warn({ error: errorText(error), code }, 'A pairing with a passkey failed.')
      end('passkeyFailed', code, what)
      const fields = code === 0 ? {} : { fields: { provider_code: code } }
      throw new GatewayError('PAIRING_FAILED', { message: `The pairing with a passkey failed: ${what}.`, ...fields })
    }
  }
}

function ask(socket: WASocket, type: 'get' | 'set', content: BinaryNode): Promise<BinaryNode> {
  const iq: BinaryNode = { tag: 'iq', attrs: { to: 's.whatsapp.net', type, xmlns: 'md' }, content: [content] }
  return socket.query(iq, ANSWER_MAX_MS) as Promise<BinaryNode>
}

function leaf(tag: string, content: Uint8Array): BinaryNode {
  return { tag, attrs: {}, content }
}

function optionsIn(node: BinaryNode): ReadOptions | null {
  return readPasskeyOptions(getBinaryNodeChild(node, 'passkey_request_options')?.content)
}

function readContent(node: BinaryNode, tag: string): Buffer | null {
  const content = getBinaryNodeChild(node, tag)?.content
  return content instanceof Uint8Array ? Buffer.from(content) : null
}

/** Returns the type that the device registers with: the phone compares the two (zapo PR 193). */
function platformType(browser: string | null): number {
  const types = proto.DeviceProps.PlatformType as unknown as Readonly<Record<string, number | undefined>>
  return types[(browser ?? '').toUpperCase()] ?? proto.DeviceProps.PlatformType.CHROME
}
