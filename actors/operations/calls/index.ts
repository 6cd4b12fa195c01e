import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { bothAddresses } from '../../instance/known-chat.js'
import type { CallLink } from '../../network/port/calls.js'
import { parsePerson } from '../contacts/person.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { rejectCall } from './reject.js'
import { setCallSettings } from './set-settings.js'

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

export const callOperations = [makeCall, createCallLink, rejectCall, setCallSettings, showCallSettings] as const
