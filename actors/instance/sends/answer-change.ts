import type { MessageId } from '../../../schemas/ids.js'
import type { Change } from '../ports.js'
import { refusalSentence } from './refusals.js'

/** Returns the change of a row that the network's answer makes, with its event unless that is silent. */
export function answerChange(messageid: MessageId, error: number | null, isSilent: boolean): Change {
  const set =
    error === null
      ? { status: 'sent' as const, queuedRequest: null }
      : { status: 'failed' as const, queuedRequest: null, error: refusalSentence(error), providerCode: error }
  const announce = {
    type: 'Status',
    state: error === null ? 'Sent' : 'Failed',
    event: { IsFromMe: true, ...(error === null ? {} : { provider_code: error }) },
  }
  return { type: 'message.update', messageids: [messageid], fromMe: true, set, ...(isSilent ? {} : { announce }) }
}
