/** `/phones/:number/…`: the messages that a phone writes, reads and asks for. */
import { randomBytes } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'
import { sha256 } from '../media/cipher.js'
import { STATUS } from '../network/status.js'
import { type Change, sendChange } from '../phones/changes.js'
import { mediaMessage, plainMedia } from '../phones/media.js'
import { type AnswerForm, tap } from '../phones/menus.js'
import { findRecipient } from '../phones/outbox.js'
import type { Phone } from '../phones/phone.js'
import { PhoneError } from '../phones/phone-error.js'
import { pollMessage } from '../phones/polls.js'
import { createQuote } from '../phones/quote.js'
import { asNewestPoll, rawMessage } from '../phones/raw-messages.js'
import type { Roster } from '../phones/roster.js'
import { vote } from '../phones/votes.js'
import { isMark, MARKS, type Withholding } from '../phones/withheld.js'
import { node } from '../wire/nodes.js'
import { editIn, sendSecretChange } from './change-fields.js'
import { optionalFlag, optionalNumber, optionalText, requiredText, textList } from './fields.js'
import { createOnPhone, readAddressing } from './on-phone.js'
import type { ControlRequest, Route } from './server.js'

type Body = Record<string, unknown>

export function writingRoutes(phones: Roster): Route[] {
  const onPhone = createOnPhone(phones)
  return [
    { method: 'POST', path: '/phones/:number/text', handle: onPhone(sendText) },
    { method: 'POST', path: '/phones/:number/message', handle: onPhone(sendAny) },
    { method: 'POST', path: '/phones/:number/media', handle: onPhone(sendMedia) },
    { method: 'GET', path: '/phones/:number/media/:id', handle: onPhone(showMedia) },
    { method: 'POST', path: '/phones/:number/react', handle: onPhone(change('react')) },
    { method: 'POST', path: '/phones/:number/edit', handle: onPhone(change('edit')) },
    { method: 'POST', path: '/phones/:number/secret', handle: onPhone(sendSecretChange) },
    { method: 'POST', path: '/phones/:number/delete', handle: onPhone(change('delete')) },
    { method: 'POST', path: '/phones/:number/pin', handle: onPhone(pin) },
    { method: 'POST', path: '/phones/:number/tap', handle: onPhone(tapMenu) },
    { method: 'POST', path: '/phones/:number/poll', handle: onPhone(makePoll) },
    {
      method: 'POST',
      path: '/phones/:number/vote',
      handle: onPhone(async (phone, { body }) => ({
        id: await vote(phone, requiredText(body, 'id'), textList(body, 'options'), readAddressing(body)),
      })),
    },
    { method: 'POST', path: '/phones/:number/read', handle: onPhone(read) },
    { method: 'POST', path: '/phones/:number/typing', handle: onPhone(typing) },
    { method: 'POST', path: '/phones/:number/disappearing', handle: onPhone(setDisappearing) },
    { method: 'GET', path: '/phones/:number/resend-requests', handle: onPhone((phone) => phone.resendRequests) },
    { method: 'GET', path: '/phones/:number/history-requests', handle: onPhone((phone) => phone.historyRequests) },
    { method: 'POST', path: '/phones/:number/ask-again', handle: onPhone(askAgain) },
  ]
}

async function sendText(phone: Phone, { body }: ControlRequest) {
  const text = requiredText(body, 'text')
  const quotedId = optionalText(body, 'quotedId')
  const message: proto.IMessage = quotedId
    ? { extendedTextMessage: { text, contextInfo: createQuote(phone, quotedId) } }
    : { conversation: text }
  return transmit(phone, body, message)
}

/** Any message as the JSON of its proto (`proto.Message.fromObject`), or as its bytes, which need not be a message. */
async function sendAny(phone: Phone, { body }: ControlRequest) {
  const bytes = optionalText(body, 'base64')
  const message =
    bytes === undefined ? proto.Message.fromObject(body.message as Body) : rawMessage(Buffer.from(bytes, 'base64'))
  return transmit(phone, body, message)
}

/** A file as base64, or as many bytes of chance as `sizeBytes` says. */
async function sendMedia(phone: Phone, { body }: ControlRequest) {
  const base64 = optionalText(body, 'base64')
  const bytes =
    base64 === undefined ? randomBytes(optionalNumber(body, 'sizeBytes') ?? 1_000) : Buffer.from(base64, 'base64')
  const message = await mediaMessage(phone, {
    kind: requiredText(body, 'kind'),
    bytes,
    mimetype: optionalText(body, 'mimetype'),
    caption: optionalText(body, 'caption'),
    fileName: optionalText(body, 'fileName'),
    ptt: optionalFlag(body, 'ptt'),
    gif: optionalFlag(body, 'gif'),
    viewOnce: optionalFlag(body, 'viewOnce'),
    plain: optionalFlag(body, 'plain'),
    hdOf: hdParent(phone, body),
  })
  return { ...(await transmit(phone, body, message)), sha256: sha256(bytes).toString('hex') }
}

/** The message of which this file is the large copy, as the phone names it. */
function hdParent(phone: Phone, body: Body): proto.IMessageKey | undefined {
  const id = optionalText(body, 'hdOf')
  if (id === undefined) return undefined
  const to = requiredText(body, 'to')
  const remoteJid = to.endsWith('@g.us')
    ? to
    : findRecipient(phone, to).jid(readAddressing(body) ?? phone.settings.addressing)
  return { id, fromMe: true, remoteJid }
}

/** The files of a message that it has, as base64. */
async function showMedia(phone: Phone, { parameters: { id = '' } }: ControlRequest) {
  const message = phone.inbox.messages.get(id)?.message ?? phone.sent.get(id)?.message
  if (!message) throw new PhoneError(404, `No message ${id} is known to this phone.`)
  const files = await plainMedia(phone.network.media, message as proto.IMessage)
  return files.map((file) => ({ base64: file.toString('base64') }))
}

async function transmit(phone: Phone, body: Body, message: proto.IMessage) {
  const id = optionalText(body, 'id')
  const addressing = readAddressing(body)
  const count = optionalNumber(body, 'count') ?? 1
  const agoSeconds = optionalNumber(body, 'agoSeconds')
  const to = requiredText(body, 'to')
  const withheld = readWithholding(body)
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const numbered =
      count > 1 && message.conversation ? { conversation: `${message.conversation} ${index + 1}` } : message
    const named = id && count === 1 ? { id } : {}
    const dated = agoSeconds === undefined ? {} : { agoSeconds }
    const secret = optionalFlag(body, 'secret') ?? true
    ids.push(
      await phone.send(to, numbered, { ...named, ...(addressing && { addressing }), ...dated, secret, ...withheld }),
    )
  }
  return count > 1 ? { ids } : { id: ids[0] }
}

function readWithholding(body: Body): Withholding {
  const mark = optionalText(body, 'mark')
  const damaged = optionalText(body, 'damaged')
  if (mark !== undefined && !isMark(mark)) throw new PhoneError(400, `The field mark is one of ${MARKS.join(', ')}.`)
  if (damaged !== undefined && damaged !== 'once' && damaged !== 'always')
    throw new PhoneError(400, 'The field damaged is once or always.')
  return { ...(mark && { mark }), ...(damaged && { damaged }) }
}

async function pin(phone: Phone, { body }: ControlRequest) {
  const seconds = optionalNumber(body, 'seconds') ?? 604_800
  return { id: await sendChange(phone, requiredText(body, 'id'), { kind: 'pin', seconds }, readAddressing(body)) }
}

function change(kind: Exclude<Change['kind'], 'pin'>) {
  return async (phone: Phone, { body }: ControlRequest) => {
    const id = requiredText(body, 'id')
    const what = kind === 'edit' ? editIn(body) : { kind, text: optionalText(body, 'text') ?? '' }
    return { id: await sendChange(phone, id, what, readAddressing(body)) }
  }
}

function tapMenu(phone: Phone, { body }: ControlRequest) {
  const form = optionalText(body, 'form')
  if (form !== undefined && !['interactive', 'buttons', 'template'].includes(form))
    throw new PhoneError(400, 'The field form is interactive, buttons or template.')
  const choice = optionalText(body, 'choice') ?? ''
  return tap(phone, requiredText(body, 'id'), { choice, ...(form && { form: form as AnswerForm }) })
}

async function makePoll(phone: Phone, { body }: ControlRequest) {
  const selectableCount = optionalNumber(body, 'selectableCount') ?? 1
  const version = optionalNumber(body, 'version')
  const message = pollMessage(requiredText(body, 'question'), textList(body, 'options'), selectableCount, version)
  return transmit(phone, body, version === 6 ? asNewestPoll(message) : message)
}

function read(phone: Phone, { body }: ControlRequest) {
  const chat = optionalText(body, 'chat')
  const ids = textList(body, 'ids')
  if (ids.length === 0 && chat !== undefined) {
    for (const message of phone.inbox.messages.values()) if (message.chat === chat && !message.own) ids.push(message.id)
  }
  const type = optionalText(body, 'type') ?? 'read'
  if (type !== 'read' && type !== 'played' && type !== 'read-self')
    throw new PhoneError(400, 'The field type is read, played or read-self.')
  phone.inbox.markRead(ids, type)
  return { ids }
}

function typing(phone: Phone, { body }: ControlRequest): void {
  const to = requiredText(body, 'to')
  const state = optionalText(body, 'state') ?? 'composing'
  const jid = to.endsWith('@g.us')
    ? to
    : findRecipient(phone, to).jid(readAddressing(body) ?? phone.settings.addressing)
  const inner = state === 'recording' ? node('composing', { media: 'audio' }) : node(state, {})
  phone.transmit(node('chatstate', { to: jid }, [inner]))
}

function setDisappearing(phone: Phone, { body }: ControlRequest) {
  const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type
  const ephemeralExpiration = optionalNumber(body, 'seconds') ?? 0
  return transmit(phone, body, { protocolMessage: { type: EPHEMERAL_SETTING, ephemeralExpiration } })
}

function askAgain(phone: Phone, { body }: ControlRequest): void {
  const device = findRecipient(phone, requiredText(body, 'of')).devices.get(optionalNumber(body, 'device') ?? 1)
  if (!device) throw new PhoneError(404, 'That account has no such device.')
  const isStatus = optionalFlag(body, 'status') ?? false
  phone.inbox.askFor({
    id: requiredText(body, 'id'),
    ...(isStatus ? { from: STATUS, participant: device.jid('lid') } : { from: device.jid('lid') }),
    t: String(Math.floor(Date.now() / 1000)),
  })
}
