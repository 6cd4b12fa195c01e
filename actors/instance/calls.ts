import { chatIdOf } from '../../schemas/jid.js'
import type { CallEvent, CallState } from '../network/port/calls.js'
import type { Change } from './ports.js'

/** How a state is called in events. */
export const STATES: Readonly<Record<CallState, string>> = {
  ringing: 'Ringing',
  accepted: 'Accepted',
  rejected: 'Rejected',
  timeout: 'Timeout',
  acceptedElsewhere: 'AcceptedElsewhere',
  rejectedElsewhere: 'RejectedElsewhere',
  ended: 'Ended',
}

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
