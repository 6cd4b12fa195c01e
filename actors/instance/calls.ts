import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { addressOf, type ChatAddress, chatIdOf, isGroupJid, parseAddress } from '../../schemas/jid.js'
import type { CallEvent, CallState, Connection } from '../network/port.js'
import type { ReplyOf } from './commands.js'
import type { Change, InstanceJournal, InstanceReader, ToldCall } from './ports.js'

export interface CallsOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  /** The open connection; waits for one while the instance connects. @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING */
  readonly connection: (waitMs: number) => Promise<Connection>
  readonly own: () => ChatAddress | null
  readonly parkTimeoutMs: number
  readonly ackTimeoutMs: number
}

/** How a state is called in events. */
const STATES: Readonly<Record<CallState, string>> = {
  ringing: 'Ringing',
  accepted: 'Accepted',
  rejected: 'Rejected',
  timeout: 'Timeout',
  acceptedElsewhere: 'AcceptedElsewhere',
  rejectedElsewhere: 'RejectedElsewhere',
  ended: 'Ended',
}

/** Phones give up after a minute; one whose end was not told does not ring for ever. */
const RINGS_MAX_MS = 2 * 60_000

/** A call as an event `call`: its `type` is the name of whatsmeow's struct, `event` the struct, with both addresses beside it. */
export function callChange(call: CallEvent): Change {
  const { from, group, timestampMs } = call
  // By one address: where there are two the store would take one for the other's. It finds the chat by either.
  const told = from.lid === undefined ? from : { lid: from.lid }
  return {
    type: 'event',
    kind: 'call',
    chat: group === undefined ? told : { group },
    // The network tells it again to a connection that follows one which did not say that it knows.
    once: `${call.id} ${call.kind} ${call.state} ${chatIdOf(told)}`,
    body: {
      type: call.kind,
      state: STATES[call.state],
      event: {
        From: chatIdOf(from),
        sender_pn: from.pn ?? '',
        sender_lid: from.lid ?? '',
        Timestamp: Math.floor(timestampMs / 1000),
        CallCreator: call.creator,
        CallCreatorAlt: call.creatorAlternative ?? '',
        CallID: call.id,
        GroupJID: group ?? '',
        IsGroup: group !== undefined,
        ...(call.isVideo === null ? {} : { IsVideo: call.isVideo }),
        ...(call.reason === null ? {} : { Reason: call.reason }),
        RemotePlatform: call.platform,
        RemoteVersion: call.version,
        Data: { Tag: call.data.tag, Attrs: call.data.attributes },
      },
    },
  }
}

/**
 * Refuses a call, and tells that it did. What rings is known from the events that were told, so that it is known on whichever node the
 * instance lives now. One that is named by its id is refused whatever is known of it: the network says what comes of that.
 * @throws GatewayError MISSING_CALL_ID, INVALID_NUMBER, CALL_REJECT_FAILED
 */
export async function rejectCall(
  options: CallsOptions,
  asked: { readonly number?: string; readonly id?: string },
): Promise<ReplyOf['rejectCall']> {
  const { instance, journal, reader, own, parkTimeoutMs, ackTimeoutMs } = options
  const { id } = asked
  // A node of release 0.1.0 passes such a command on.
  if (id === undefined) throw new GatewayError('MISSING_CALL_ID', { details: [{ field: 'id', why: 'is required' }] })
  const number = asked.number === undefined ? null : await bothAddresses(reader, instance, asked.number)
  const connection = await options.connection(parkTimeoutMs)
  await journal.settled()
  const told = await reader.calls(instance, Date.now() - RINGS_MAX_MS)
  const call = named(told, id, number)
  const to = callerOf(call, own())
  await connection.rejectCall({ id: call.id, to, creator: call.creator }, ackTimeoutMs)
  await journal.write([
    callChange({
      type: 'call',
      kind: 'CallReject',
      state: 'rejected',
      id: call.id,
      from: own() ?? addressOf(to),
      creator: call.creator,
      ...(call.creatorAlternative === null ? {} : { creatorAlternative: call.creatorAlternative }),
      ...(call.group === null ? {} : { group: call.group }),
      isVideo: null,
      reason: null,
      platform: '',
      version: '',
      timestampMs: Date.now(),
      data: { tag: 'reject', attributes: { 'call-id': call.id, 'call-creator': call.creator } },
    }),
  ])
  return { id: call.id }
}

function named(told: readonly ToldCall[], id: string, number: ChatAddress | null): ToldCall {
  const all = told.filter((one) => one.id === id)
  if (all.length === 0) {
    if (number !== null) {
      // By the LID where it is known, as messages go.
      const from = number.lid ?? chatIdOf(number)
      return { id, state: '', from, creator: from, creatorAlternative: null, group: null }
    }
    throw new GatewayError('INVALID_NUMBER', {
      message: 'Invalid number: it is required, nothing is known of this call.',
      details: [{ field: 'number', why: 'is required, nothing is known of this call' }],
    })
  }
  const meant = all.filter((one) => number === null || isFrom(one, number))
  // Of the offer the network named the sender; the rest may be of anybody who knows the id.
  const call = meant.find((one) => one.state === STATES.ringing) ?? meant[0]
  if (call !== undefined) return call
  throw new GatewayError('INVALID_NUMBER', {
    message: 'Invalid number: it is not the one that rings.',
    details: [{ field: 'number', why: 'is not the one that rings' }],
  })
}

/** By any name under which it was told: that chooses among calls, and whom a refusal goes to the server says. */
function isFrom(call: ToldCall, { pn, lid, group: asked }: ChatAddress): boolean {
  const names = [call.from, call.creator, call.creatorAlternative, call.group]
  return [pn, lid, asked].some((one) => one !== undefined && names.includes(one))
}

/**
 * Whom a refusal goes to: who rang, in the server's word. Only where that is this account itself (of what its own devices did) or a group,
 * the word of the stanza must do.
 */
function callerOf({ from, creator }: ToldCall, own: ChatAddress | null): Jid {
  return isGroupJid(from) || from === own?.lid || from === own?.pn ? creator : from
}

async function bothAddresses(reader: InstanceReader, instance: InstanceId, number: string): Promise<ChatAddress> {
  const one = parseAddress(number)
  const other = one.group === undefined ? await reader.mapping(instance, chatIdOf(one)) : null
  return other === null ? one : addressOf(chatIdOf(one), other)
}
