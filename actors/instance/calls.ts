import type { Jid } from '../../schemas/ids.js'
import { type ChatAddress, isGroupJid, senderNames, toChatAddress, toChatId } from '../../schemas/jid.js'
import type { CallEvent, CallState, MadeCall } from '../network/port/calls.js'
import type { StoredCall } from './instance-reader.js'
import type { Change } from './ports.js'

/** The names of the states in events. */
export const STATES: Readonly<Record<CallState, string>> = {
  ringing: 'Ringing',
  accepted: 'Accepted',
  rejected: 'Rejected',
  timeout: 'Timeout',
  acceptedElsewhere: 'AcceptedElsewhere',
  rejectedElsewhere: 'RejectedElsewhere',
  ended: 'Ended',
}

/** Makes the event `call`. Its `type` is the name of whatsmeow's struct, and `event` the struct, with both addresses beside it. */
export function callChange(call: CallEvent): Change {
  const { from, fromJid, group, callee, timestampMs } = call
  // By one address: with two, the store would take one for the address of the other. It finds the chat by either.
  const told = toChatAddress(fromJid)
  return {
    type: 'event',
    kind: 'call',
    chat: callee ?? (group === undefined ? told : { group }),
    // The network repeats it to the next connection, if the former one did not confirm it.
    once: `${call.id} ${call.kind} ${call.state} ${toChatId(told)}`,
    people: [from],
    body: (named) => ({
      type: call.kind,
      state: STATES[call.state],
      event: {
        ...callerNames(named(from)),
        ...(from.group === undefined ? { AddressingMode: fromJid === from.lid ? 'lid' : 'pn' } : {}),
        Timestamp: Math.floor(timestampMs / 1000),
        CallCreator: call.creator,
        CallCreatorAlt: call.creatorAlternative ?? '',
        CallID: call.id,
        GroupJID: group ?? '',
        IsGroup: group !== undefined,
        IsLate: call.wasQueued === true,
        ...(callee === undefined ? {} : { IsOutgoing: true, To: toChatId(callee) }),
        ...(call.isVideo === null ? {} : { IsVideo: call.isVideo }),
        ...(call.reason === null ? {} : { Reason: call.reason }),
        RemotePlatform: call.platform,
        RemoteVersion: call.version,
        Data: { Tag: call.data.tag, Attrs: call.data.attributes },
      },
    }),
  }
}

function callerNames(from: ChatAddress) {
  const { Sender: From, ...both } = senderNames(from)
  return { From, ...both }
}

/** Makes the event of a call that this account has rejected. */
export function rejectedCall(call: StoredCall, by: ChatAddress): Change {
  return callChange({
    type: 'call',
    kind: 'CallReject',
    state: 'rejected',
    id: call.id,
    from: by,
    fromJid: by.lid ?? toChatId(by),
    creator: call.creator,
    ...(call.creatorAlternative === null ? {} : { creatorAlternative: call.creatorAlternative }),
    ...(call.group === null ? {} : { group: call.group }),
    isVideo: null,
    reason: null,
    platform: '',
    version: '',
    timestampMs: Date.now(),
    data: { tag: 'reject', attributes: { 'call-id': call.id, 'call-creator': call.creator } },
  })
}

/** Makes the event of a call that this account makes: its beginning, or its end. */
export function madeCall(
  { id, to, isVideo }: MadeCall,
  { state, reason }: { readonly state: 'ringing' | 'timeout' | 'ended'; readonly reason: string | null },
  by: ChatAddress,
): Change {
  const isOffer = state === 'ringing'
  const creator = by.lid ?? toChatId(by)
  const attributes = { 'call-id': id, 'call-creator': creator, ...(reason === null ? {} : { reason }) }
  return callChange({
    type: 'call',
    kind: isOffer ? 'CallOffer' : 'CallTerminate',
    state,
    id,
    from: by,
    fromJid: creator,
    creator,
    callee: to,
    isVideo: isOffer ? isVideo : null,
    reason,
    platform: '',
    version: '',
    timestampMs: Date.now(),
    data: { tag: isOffer ? 'offer' : 'terminate', attributes },
  })
}

/**
 * Returns the person to whom a refusal goes: the caller, as the server named them. If the server named this account (for acts of its own
 * devices) or a group, returns the caller as the stanza named them.
 */
export function findCaller({ from, creator }: StoredCall, own: ChatAddress | null): Jid {
  return isGroupJid(from) || from === own?.lid || from === own?.pn ? creator : from
}
