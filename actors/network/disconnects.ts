import { GatewayError } from '../../schemas/errors.js'
import { isProgramError } from '../../schemas/program-error.js'
import type { DisconnectCause } from './port/events.js'

// Bound: 65,536, a text or attribute of a stanza.

/** Reaction of an instance to a cause. */
export interface Reaction {
  /** `now`: connect again at once, uncounted. `backOff`: wait and connect again. `stop`: only a command connects again. */
  readonly next: 'now' | 'backOff' | 'stop'
  readonly forgetCredentials: boolean
  /** Explanation for people, with their options. */
  readonly sentence: string
}

/** Reactions by cause. Sources: Baileys `src/Types/index.ts` (DisconnectReason), `src/Socket/socket.ts`, `src/Utils/generics.ts` of 7.0.0-rc14. */
export const reactions: Readonly<Record<DisconnectCause, Reaction>> = {
  restart: { next: 'now', forgetCredentials: false, sentence: 'WhatsApp asked for a new connection.' },
  lost: { next: 'backOff', forgetCredentials: false, sentence: 'The connection was lost; we connect again.' },
  unreachable: {
    next: 'backOff',
    forgetCredentials: false,
    sentence: 'WhatsApp could not be reached; we connect again.',
  },
  proxyFailed: {
    next: 'backOff',
    forgetCredentials: false,
    sentence: 'The proxy of the instance failed; we connect again.',
  },
  dead: {
    next: 'backOff',
    forgetCredentials: false,
    sentence: 'The connection was open but WhatsApp no longer answered; we connect again.',
  },
  unavailable: { next: 'backOff', forgetCredentials: false, sentence: 'WhatsApp is unavailable; we connect again.' },
  badSession: {
    next: 'backOff',
    forgetCredentials: false,
    sentence: 'WhatsApp ended the connection without a reason; we connect again.',
  },
  replaced: {
    next: 'backOff',
    forgetCredentials: false,
    sentence: 'Another client connected as this device; we connect again after a long wait. Stop the other client.',
  },
  loggedOut: {
    next: 'stop',
    forgetCredentials: true,
    sentence: 'logged out from another device; pair the instance again.',
  },
  forbidden: {
    next: 'stop',
    forgetCredentials: false,
    sentence: 'WhatsApp refuses this account; check the phone for a ban or a restriction.',
  },
  temporarilyBanned: {
    next: 'backOff',
    forgetCredentials: false,
    sentence: 'WhatsApp has banned the account for a time; we connect again when it is over.',
  },
  versionRefused: {
    next: 'backOff',
    forgetCredentials: false,
    sentence:
      'WhatsApp refuses our version; we connect again as soon as a newer one is known. If WA_VERSION is set, unset it or set a newer one.',
  },
  clientRefused: {
    next: 'backOff',
    forgetCredentials: false,
    sentence:
      'WhatsApp refuses the client that this gateway reports to be; we connect again after a long wait. Update the gateway if it lasts.',
  },
  loginNotFound: {
    next: 'backOff',
    forgetCredentials: false,
    sentence:
      'WhatsApp did not find this login; we connect again after a long wait. If it lasts, disconnect the instance and pair it again.',
  },
  loginRefused: {
    next: 'backOff',
    forgetCredentials: false,
    sentence: 'WhatsApp refused the login; we connect again after a long wait.',
  },
  multideviceMismatch: {
    next: 'stop',
    forgetCredentials: true,
    sentence: 'The account does not accept linked devices; pair the instance again.',
  },
  pairingExpired: {
    next: 'stop',
    forgetCredentials: true,
    sentence: 'Pairing expired; connect again for a new QR or code.',
  },
  pairingRefused: { next: 'stop', forgetCredentials: true, sentence: 'WhatsApp refused the pairing.' },
  passkeyRequired: {
    next: 'stop',
    forgetCredentials: true,
    sentence:
      'WhatsApp requires a passkey from this account, and the gateway is not configured for passkeys: set WA_PASSKEY_PAIRING=true and connect again, or try again in a few days, since WhatsApp has lifted this requirement for some accounts.',
  },
  passkeyExpired: {
    next: 'stop',
    forgetCredentials: true,
    sentence: 'The pairing with a passkey was not finished in time; connect again.',
  },
  passkeyFailed: {
    next: 'stop',
    forgetCredentials: true,
    sentence: 'The pairing with a passkey failed; connect again.',
  },
  instanceLimit: {
    next: 'stop',
    forgetCredentials: true,
    sentence:
      'The phone was not linked: the server has reached its limit of connected instances (INSTANCES_MAX). Connect again when another instance has been disconnected.',
  },
  storeFailed: {
    next: 'backOff',
    forgetCredentials: false,
    sentence: 'Our store could not be written or read; we connect again.',
  },
  programError: {
    next: 'backOff',
    forgetCredentials: false,
    sentence: 'The gateway had an internal error, which its log describes; we connect again.',
  },
  ownershipLost: { next: 'stop', forgetCredentials: false, sentence: 'Another node owns this instance now.' },
  stopped: {
    next: 'stop',
    forgetCredentials: false,
    sentence: 'Stopped on request; the pairing is kept. POST /instance/start connects again.',
  },
  asked: { next: 'stop', forgetCredentials: false, sentence: 'Disconnected on request.' },
}

/** Returns the cause of the end of a connection after a failed write or read. */
export function causeOfFailure(error: unknown): DisconnectCause {
  const isOver = error instanceof GatewayError && (error.code === 'NOT_OWNER' || error.code === 'INSTANCE_EXPORTED')
  if (isOver) return 'ownershipLost'
  return isProgramError(error) ? 'programError' : 'storeFailed'
}

/** End of a connection. */
export interface Ending {
  readonly cause: DisconnectCause
  /** The network's code; 0 when it gave none. */
  readonly code: number
  readonly detail?: string
  /** True for a pairing, which does not connect again by itself. */
  readonly isPairing?: boolean
}

/** Returns the reason of an end for people: the network's code, if it gave one, the sentence of the cause, and the detail. */
export function describeEnding({ cause, code, detail, isPairing = false }: Ending): string {
  const { sentence } = reactions[cause]
  const ours = isPairing ? sentence.replace('we connect again', 'connect again') : sentence
  const whole = detail === undefined ? ours : ours.replace(/\.$/, ` (${detail}).`)
  return code === 0 ? whole : `${code}: ${whole}`
}

/** Message of the library for a login that the network refused (`Socket/socket.ts` of 7.0.0-rc14, `CB:failure`). */
const LOGIN_FAILED = 'Connection Failure'

/**
 * Returns the cause for the network's code. The names of refused logins are those of whatsmeow (`types/events/events.go`,
 * `ConnectFailureReason`). 408 means that no frame arrived for too long, or that the QR refs are used up; only the library's
 * message distinguishes them. 500 is the default of every stream error without a code, so it never deletes credentials.
 */
export function findDisconnectCause(code: number, message: string, isPaired: boolean): DisconnectCause {
  if (!isPaired && /QR refs/i.test(message)) return 'pairingExpired'
  switch (code) {
    case 515:
      return 'restart'
    case 401:
    case 419:
      return isPaired ? 'loggedOut' : 'pairingRefused'
    case 402:
      return 'temporarilyBanned'
    case 403:
    // An account that is banned, as WhatsApp Web names it (whatsmeow `types/events/events.go`).
    case 406:
      return 'forbidden'
    case 405:
      return 'versionRefused'
    case 411:
      return 'multideviceMismatch'
    case 440:
      return 'replaced'
    case 500:
      return 'badSession'
    case 503:
      return 'unavailable'
    default:
      return message === LOGIN_FAILED ? refusalOfLogin(code) : 'lost'
  }
}

function refusalOfLogin(code: number): DisconnectCause {
  switch (code) {
    // The user agent, and a client that is not known.
    case 409:
    case 418:
      return 'clientRefused'
    case 415:
      return 'loginNotFound'
    default:
      return 'loginRefused'
  }
}
