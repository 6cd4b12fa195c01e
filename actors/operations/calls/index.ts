import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, parseAddress, toChatAddress, toChatId } from '../../../schemas/jid.js'
import { findCaller, rejectedCall, STATES } from '../../instance/calls.js'
import type { StoredCall } from '../../instance/instance-reader.js'
import { bothAddresses } from '../../instance/known-chat.js'
import type { CallLink } from '../../network/port/calls.js'
import { parsePerson } from '../contacts/person.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { setCallSettingsOperation } from './set-settings.js'

interface RejectCallFields {
  readonly number?: string
  /** A node of release 0.1.0 omits it if its caller did. */
  readonly id?: string
}

/** Phones give up after a minute. A call whose end was not reported does not ring for ever. */
const RINGS_MAX_MS = 2 * 60_000

/**
 * Rejects a call, and reports that. The events of calls are stored, so that every node that comes to own the instance knows what rings.
 * A call of which nothing is known is rejected all the same, when the caller names its number: the network decides.
 * @throws GatewayError MISSING_CALL_ID, INVALID_NUMBER, CALL_REJECT_FAILED, and of a call that this account makes NETWORK_REFUSED, OUTCOME_UNKNOWN
 */
const rejectCall = operation('rejectCall', {
  // The caller's phone notices only the first rejection, and none of a call that is over.
  repeat: true,
  example: ({ id }: RejectCallFields) => ({ id: id ?? 'RINGING' }),
  async run(context: InstanceContext, asked: RejectCallFields) {
    const { journal, reader, account, timing } = context
    const { id } = asked
    if (id === undefined) throw new GatewayError('MISSING_CALL_ID', { details: [{ field: 'id', why: 'is required' }] })
    // A call that this account makes ends.
    if (await context.outgoingCalls.hangUp(id)) return { id }
    const number =
      asked.number === undefined ? null : await bothAddresses(context.id, parseAddress(asked.number), reader)
    const connection = await context.connection()
    await journal.settled()
    const call = named(await reader.calls(context.id, RINGS_MAX_MS), id, number)
    const to = findCaller(call, account.own)
    await connection.calls.reject({ id, to, creator: call.creator }, timing.ackTimeoutMs)
    await journal.write([rejectedCall(call, account.own ?? toChatAddress(to))])
    return { id }
  },
})

function named(told: readonly StoredCall[], id: string, number: ChatAddress | null): StoredCall {
  const all = told.filter((one) => one.id === id)
  if (all.length === 0) {
    if (number !== null) {
      // By the LID if it is known, as messages are sent.
      const from = number.lid ?? toChatId(number)
      return { id, state: '', from, creator: from, creatorAlternative: null, group: null }
    }
    throw new GatewayError('INVALID_NUMBER', {
      message: 'Invalid number: it is required, nothing is known of this call.',
      details: [{ field: 'number', why: 'is required, nothing is known of this call' }],
    })
  }
  const meant = all.filter((one) => number === null || isFrom(one, number))
  // The network named the sender of the offer. Anybody who knows the id may have sent the rest.
  const call = meant.find((one) => one.state === STATES.ringing) ?? meant[0]
  if (call !== undefined) return call
  throw new GatewayError('INVALID_NUMBER', {
    message: 'Invalid number: it is not the one that rings.',
    details: [{ field: 'number', why: 'is not the one that rings' }],
  })
}

/** Compares all names of a call. They choose among calls; the server decides to whom a refusal goes. */
function isFrom(call: StoredCall, { pn, lid, group: asked }: ChatAddress): boolean {
  const names = [call.from, call.creator, call.creatorAlternative, call.group]
  return [pn, lid, asked].some((one) => one !== undefined && names.includes(one))
}

interface MakeCallFields {
  /** Made by the node that got the call. */
  readonly id: string
  readonly number: string
  readonly isVideo: boolean
  /** For how long it rings at most. */
  readonly forMs: number
}

/** Rings a person, without sound. */
const makeCall = operation('makeCall', {
  // It would ring twice.
  repeat: false,
  example: ({ id }: MakeCallFields) => ({ id }),
  async run(context: InstanceContext, { id, number, isVideo, forMs }: MakeCallFields) {
    const to = await bothAddresses(context.id, parsePerson(number), context.reader)
    if (isSelf(to, context.account.own)) throw ownNumber()
    await context.outgoingCalls.ring({ id, to, isVideo }, forMs)
    return { id }
  },
})

/** Makes a link by which people join a call. */
const createCallLink = operation('createCallLink', {
  // At worst there is one more link, which nobody knows.
  repeat: true,
  example: { link: 'https://call.whatsapp.com/voice/abcdefghijklmnopqrstuv' },
  async run({ connection }: InstanceContext, link: CallLink): Promise<{ readonly link: string }> {
    const { calls } = await connection()
    return { link: await calls.createLink({ isVideo: link.isVideo, startMs: link.startMs }) }
  },
})

function isSelf({ pn, lid }: ChatAddress, own: ChatAddress | null): boolean {
  return own !== null && ((pn !== undefined && pn === own.pn) || (lid !== undefined && lid === own.lid))
}

function ownNumber(): GatewayError {
  const why = 'is the number of this account'
  return new GatewayError('INVALID_NUMBER', {
    message: `Invalid number: it ${why}.`,
    details: [{ field: 'number', why }],
  })
}

const NONE = { reject: false, text: '' }

/** Shows the calls that the instance rejects by itself. Needs no connection. */
const showCallSettings = operation('showCallSettings', {
  repeat: true,
  example: { people: NONE, groups: NONE },
  run: ({ callRejections }: InstanceContext) => callRejections.settings(),
})

export const callOperations = [
  makeCall,
  createCallLink,
  rejectCall,
  setCallSettingsOperation,
  showCallSettings,
] as const
