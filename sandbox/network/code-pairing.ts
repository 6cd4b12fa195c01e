/** Pairing by code, the network's part: it carries what companion and phone say to each other. */
import { randomBytes } from 'node:crypto'
import { bytes, child, type Node, node, nowSeconds, text } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Account } from './model.js'
import type { Network } from './network.js'
import type { Registration } from './registration.js'

const SERVER = '@s.whatsapp.net'
// A code can be entered for a few minutes; the network's answer to a late one is that it knows none.
const CODE_TTL_MS = 180_000
// Measured by others: `Chrome (Windows)` passes, `Chrome (Acme)` is a bad request (Baileys PR 2769).
const STANDARD_DISPLAY =
  /^(Chrome|Edge|Firefox|IE|Opera|Safari|Desktop|Electron|UWP) \((Windows|Mac OS|Linux|Ubuntu|Debian|Chrome OS|Chromium OS)\)$/

export interface CodePairing {
  account: Account
  ref: Buffer
  /** Salt, IV and the companion's ephemeral key encrypted under the code. */
  wrappedCompanionEphemeral: Buffer
  expiresAtMs: number
  /** Set when the phone has answered; called with what the companion says last. */
  finish: ((bundle: Buffer, companionIdentity: Buffer) => void) | undefined
}

/** Handles an iq of the companion; the result is the content of the answer. */
export function handleLinkCode(network: Network, registration: Registration, request: Node): Node[] | undefined {
  switch (request.attrs.stage) {
    case 'companion_hello':
      return companionHello(network, registration, request)
    case 'companion_finish':
      return companionFinish(registration, request)
    default:
      throw new IqError(400, 'bad-request')
  }
}

function companionHello(network: Network, registration: Registration, request: Node): Node[] {
  const wrapped = bytes(child(request, 'link_code_pairing_wrapped_companion_ephemeral_pub'))
  const noiseKey = bytes(child(request, 'companion_server_auth_key_pub'))
  if (wrapped.byteLength !== 80 || !noiseKey.equals(registration.noiseKey)) throw new IqError(400, 'bad-request')
  if (!STANDARD_DISPLAY.test(text(child(request, 'companion_platform_display')))) throw new IqError(400, 'bad-request')
  const account = network.directory.resolve(request.attrs.jid)?.account
  if (!account) throw new IqError(404, 'item-not-found')
  const ref = Buffer.from(`3@${randomBytes(16).toString('base64')}`)
  registration.code = {
    account,
    ref,
    wrappedCompanionEphemeral: wrapped,
    expiresAtMs: Date.now() + CODE_TTL_MS,
    finish: undefined,
  }
  return [node('link_code_companion_reg', { stage: 'companion_hello' }, [node('link_code_pairing_ref', {}, ref)])]
}

function companionFinish(registration: Registration, request: Node): undefined {
  const { code } = registration
  const bundle = bytes(child(request, 'link_code_pairing_wrapped_key_bundle'))
  const identity = bytes(child(request, 'companion_identity_public'))
  const ref = bytes(child(request, 'link_code_pairing_ref'))
  if (!code?.finish || !ref.equals(code.ref)) throw new IqError(400, 'bad-request')
  const { finish } = code
  registration.code = undefined
  // The answer to this iq goes first, then whatever the phone makes of it.
  setImmediate(() => finish(bundle, identity))
  return undefined
}

/** The registration that waits for this account's code; the newest when there are several. */
export function findCodePairing(network: Network, account: Account): Registration | undefined {
  return [...network.registrations]
    .reverse()
    .find(({ code }) => code?.account === account && code.finish === undefined && code.expiresAtMs > Date.now())
}

/** Brings the phone's half to the companion; with `empty` the notice lacks its keys, as seen in the field. */
export function sendPrimaryHello(
  network: Network,
  registration: Registration,
  phone: { wrappedEphemeral: Buffer; identityKey: Uint8Array } | 'empty',
): void {
  const ref = registration.code?.ref ?? Buffer.alloc(0)
  const content = [node('link_code_pairing_ref', {}, ref)]
  if (phone !== 'empty') {
    content.unshift(
      node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, phone.wrappedEphemeral),
      node('primary_identity_pub', {}, phone.identityKey),
    )
  }
  registration.connection.send(
    node('notification', { from: SERVER, type: 'link_code_companion_reg', id: network.makeId(), t: nowSeconds() }, [
      node('link_code_companion_reg', { stage: 'primary_hello' }, content),
    ]),
  )
}
