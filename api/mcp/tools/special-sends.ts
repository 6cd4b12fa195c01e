/** Tools for what is more than a message: events, requests for payment, calls and pins. */
import type {
  CreateCallLinkReply,
  MakeCallReply,
  McpCallReply,
  McpCallRequest,
  McpPinMessageReply,
  McpPinMessageRequest,
  McpRequestPaymentReply,
  McpRequestPaymentRequest,
  McpSendEventReply,
  McpSendEventRequest,
  PinMessageReply,
  SentMessage,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { createCallLink, makeCall } from '../../routes/call/index.js'
import { pinMessage } from '../../routes/message/index.js'
import { sendEvent, sendRequestPayment } from '../../routes/send/index.js'
import { defineTool } from '../tool.js'
import { namedSend, sentView } from '../views.js'
import { quotedWords } from '../visible-text.js'

export const eventTool = defineTool<McpSendEventRequest, McpSendEventReply>({
  name: 'send_event',
  title: 'Send an event',
  schema: 'mcp/send-event.json',
  routes: [sendEvent],
  async run({ args, ask, meet, warnings }) {
    const { to, name, description, starts_at, ends_at, place, idempotency_key } = args
    await meet(to, [name, description, starts_at, place].filter(Boolean).join(' | '))
    const body = {
      ...{ number: to, name, startTime: starts_at },
      ...given({ description, endTime: ends_at, placeName: place }),
    }
    return sentView(await ask<SentMessage>(sendEvent, body, namedSend(idempotency_key)), warnings)
  },
})

export const paymentTool = defineTool<McpRequestPaymentRequest, McpRequestPaymentReply>({
  name: 'request_payment',
  title: 'Request a payment',
  schema: 'mcp/request-payment.json',
  routes: [sendRequestPayment],
  async run({ args, ask, confirm, warnings }) {
    const { to, amount, text, item, idempotency_key } = args
    const target = args.pix_key ?? args.payment_link ?? args.boleto_code ?? ''
    const words = quotedWords([item, text, target].filter(Boolean).join(' | '))
    await confirm(`Request ${amount.toFixed(2)} reais from ${to}? ${words}`)
    const body = {
      ...{ number: to, amount },
      ...given({ text, itemName: item, pixType: args.pix_type, pixKey: args.pix_key, pixName: args.pix_name }),
      ...given({ paymentLink: args.payment_link, boletoCode: args.boleto_code }),
    }
    return sentView(await ask<SentMessage>(sendRequestPayment, body, namedSend(idempotency_key)), warnings)
  },
})

export const callTool = defineTool<McpCallRequest, McpCallReply>({
  name: 'call',
  title: 'Ring a person, or make a link to a call',
  schema: 'mcp/call.json',
  routes: [makeCall, createCallLink],
  async run({ args: { action, to, seconds, video, starts_at }, ask, confirm, warnings }) {
    if (action === 'link') {
      refuse({ to, seconds }, action)
      const { link } = await ask<CreateCallLinkReply>(createCallLink, given({ video, startTime: starts_at }))
      return { id: '', link, warnings }
    }
    refuse({ starts_at }, action)
    if (to === undefined) throw invalidField('to', 'is required to ring')
    await confirm(`Ring ${to}? There is no sound: a call that is answered ends at once.`)
    const { id } = await ask<MakeCallReply>(makeCall, { number: to, ...given({ call_duration: seconds, video }) })
    return { id, link: '', warnings }
  },
})

export const pinTool = defineTool<McpPinMessageRequest, McpPinMessageReply>({
  name: 'pin_message',
  title: 'Pin or unpin a message',
  schema: 'mcp/pin-message.json',
  routes: [pinMessage],
  isIdempotent: true,
  async run({ args: { id, action = 'pin', days }, ask, warnings }) {
    const pin = action === 'pin'
    if (!pin) refuse({ days }, action)
    const pinned = await ask<PinMessageReply>(pinMessage, { id, pin, ...given({ duration: days }) })
    const until = pinned.pinnedUntil === 0 ? null : new Date(pinned.pinnedUntil).toISOString()
    return { id: pinned.targetMessageID, pinned: pinned.pinned, until, warnings }
  },
})

/** Returns the fields that are given. */
function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''))
}

/** Refuses fields that the action could not use: an agent would believe that they counted. */
function refuse(fields: Readonly<Record<string, unknown>>, action: string): void {
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined) throw invalidField(field, `does not belong to the action ${action}`)
}
