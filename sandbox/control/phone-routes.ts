/** `/phones…` and `/groups`: driving the simulated phones. */
import { randomBytes } from 'node:crypto'
import { proto, type WAPatchName } from '@whiskeysockets/baileys'
import { sha256 } from '../media/cipher.js'
import { removeDevice } from '../network/device-list.js'
import { changeGroup } from '../network/group-changes.js'
import { announceGroup, createGroup } from '../network/groups.js'
import { restrict } from '../network/mex.js'
import type { AddressSpace } from '../network/model.js'
import type { Network } from '../network/network.js'
import { issueToken, setPrivacyOnPhone } from '../network/settings.js'
import {
  type ChatSetting,
  chatLabelMutation,
  chatMutations,
  contactMutation,
  labelMutation,
  type Mutation,
  quickReplyMutation,
} from '../phones/app-state.js'
import { type Change, sendChange } from '../phones/changes.js'
import type { History } from '../phones/greeting.js'
import type { ScanResult } from '../phones/linking.js'
import { mediaMessage, plainMedia } from '../phones/media.js'
import { type AnswerForm, tap } from '../phones/menus.js'
import { findRecipient, makeMessageId } from '../phones/outbox.js'
import type { Phone, PhoneSettings } from '../phones/phone.js'
import { PhoneError } from '../phones/phone-error.js'
import { pollMessage } from '../phones/polls.js'
import { quoteOf } from '../phones/quote.js'
import type { Roster } from '../phones/roster.js'
import { vote } from '../phones/votes.js'
import { node } from '../wire/nodes.js'
import { optionalFlag, optionalNumber, optionalText, requiredText, textList } from './fields.js'
import type { ControlRequest, Route } from './server.js'

type Body = Record<string, unknown>

export function phoneRoutes(network: Network, phones: Roster): Route[] {
  const onPhone =
    (handle: (phone: Phone, request: ControlRequest) => unknown): Route['handle'] =>
    (request) =>
      handle(phones.get(request.parameters.number ?? ''), request)
  const onCall = (act: (calls: Phone['calls'], id: string, body: Body) => void) =>
    onPhone((phone, { body }) => act(phone.calls, requiredText(body, 'id'), body))
  return [
    { method: 'GET', path: '/phones', handle: () => phones.all().map(describe) },
    {
      method: 'POST',
      path: '/phones',
      handle({ body }) {
        const phone = phones.create(
          requiredText(body, 'phone'),
          optionalText(body, 'name') ?? 'Phone',
          optionalText(body, 'lid'),
        )
        applySettings(phone, body)
        return describe(phone)
      },
    },
    { method: 'POST', path: '/crowd', handle: ({ body }) => makeCrowd(phones, body) },
    { method: 'GET', path: '/phones/:number', handle: onPhone(describe) },
    {
      method: 'PATCH',
      path: '/phones/:number',
      handle: onPhone((phone, { body }) => {
        applySettings(phone, body)
        return describe(phone)
      }),
    },
    {
      method: 'DELETE',
      path: '/phones/:number',
      handle: ({ parameters }) => phones.remove(parameters.number ?? ''),
    },
    { method: 'POST', path: '/phones/:number/scan', handle: onPhone(scan) },
    {
      method: 'POST',
      path: '/phones/:number/code',
      handle: onPhone(async (phone, { body }) => {
        return linked(await phone.enterCode(requiredText(body, 'code'), optionalFlag(body, 'emptyNoticeFirst')))
      }),
    },
    { method: 'GET', path: '/phones/:number/passkey', handle: onPhone(showPasskey) },
    { method: 'POST', path: '/phones/:number/passkey/sign', handle: onPhone(signPasskey) },
    {
      method: 'POST',
      path: '/phones/:number/passkey/confirm',
      handle: onPhone((phone, { body }) => phone.passkey.confirm(requiredText(body, 'code'))),
    },
    { method: 'POST', path: '/phones/:number/text', handle: onPhone(sendText) },
    { method: 'POST', path: '/phones/:number/message', handle: onPhone(sendAny) },
    { method: 'POST', path: '/phones/:number/media', handle: onPhone(sendMedia) },
    { method: 'GET', path: '/phones/:number/media/:id', handle: onPhone(showMedia) },
    { method: 'POST', path: '/phones/:number/react', handle: onPhone(change('react')) },
    { method: 'POST', path: '/phones/:number/edit', handle: onPhone(change('edit')) },
    { method: 'POST', path: '/phones/:number/delete', handle: onPhone(change('delete')) },
    { method: 'POST', path: '/phones/:number/tap', handle: onPhone(tapMenu) },
    { method: 'POST', path: '/phones/:number/poll', handle: onPhone(makePoll) },
    {
      method: 'POST',
      path: '/phones/:number/vote',
      handle: onPhone(async (phone, { body }) => ({
        id: await vote(phone, requiredText(body, 'id'), textList(body, 'options'), addressingOf(body)),
      })),
    },
    { method: 'POST', path: '/phones/:number/read', handle: onPhone(read) },
    { method: 'POST', path: '/phones/:number/typing', handle: onPhone(typing) },
    {
      method: 'POST',
      path: '/phones/:number/call',
      handle: onPhone((phone, { body }) =>
        phone.calls.call(requiredText(body, 'to'), optionalFlag(body, 'video') ?? false),
      ),
    },
    { method: 'POST', path: '/phones/:number/answer', handle: onCall((calls, id) => calls.accept(id)) },
    { method: 'POST', path: '/phones/:number/decline', handle: onCall((calls, id) => calls.reject(id)) },
    {
      method: 'POST',
      path: '/phones/:number/hangup',
      handle: onCall((calls, id, body) => calls.hangUp(id, optionalText(body, 'reason'))),
    },
    { method: 'GET', path: '/phones/:number/calls', handle: onPhone((phone) => [...phone.calls.all.values()]) },
    { method: 'POST', path: '/phones/:number/subscribe', handle: onPhone(subscribe) },
    {
      method: 'POST',
      path: '/phones/:number/token',
      handle: onPhone((phone, { body }) =>
        issueToken(network, phone.account, findRecipient(phone, requiredText(body, 'to'))),
      ),
    },
    {
      method: 'POST',
      path: '/phones/:number/presence',
      handle: onPhone((phone, { body }) => phone.setAvailable(optionalFlag(body, 'available') ?? true)),
    },
    {
      method: 'POST',
      path: '/phones/:number/offline',
      handle: onPhone((phone) => phone.queue(() => phone.goOffline())),
    },
    { method: 'POST', path: '/phones/:number/online', handle: onPhone((phone) => phone.goOnline()) },
    { method: 'POST', path: '/phones/:number/chats', handle: onPhone(setChat) },
    { method: 'POST', path: '/phones/:number/labels', handle: onPhone(setLabel) },
    { method: 'POST', path: '/phones/:number/quick-replies', handle: onPhone(setQuickReply) },
    { method: 'POST', path: '/phones/:number/unreadable', handle: onPhone(writeUnreadably) },
    { method: 'POST', path: '/phones/:number/disappearing', handle: onPhone(setDisappearing) },
    { method: 'POST', path: '/phones/:number/chat-labels', handle: onPhone(labelChat) },
    { method: 'POST', path: '/phones/:number/contacts', handle: onPhone(setContact) },
    { method: 'POST', path: '/phones/:number/block', handle: onPhone(block) },
    {
      method: 'POST',
      path: '/phones/:number/limits',
      handle: onPhone(({ account }, { body }) => {
        const { lock, cap } = body as { lock?: Body | null; cap?: Body | null }
        restrict(network, account, {
          ...(lock === undefined ? {} : { lock }),
          ...(cap === undefined ? {} : { cap }),
          isCounted: optionalFlag(body, 'count') ?? false,
          isTold: optionalFlag(body, 'tell') ?? false,
        })
      }),
    },
    {
      method: 'POST',
      path: '/phones/:number/privacy',
      handle: onPhone(({ account }, { body }) =>
        setPrivacyOnPhone(network, account, requiredText(body, 'category'), requiredText(body, 'value')),
      ),
    },
    {
      method: 'GET',
      path: '/phones/:number/app-state',
      handle: onPhone((phone) => phone.queue(() => phone.appState.read())),
    },
    {
      method: 'DELETE',
      path: '/phones/:number/sessions',
      handle: onPhone((phone) => phone.queue(() => phone.signal.forgetSessions())),
    },
    {
      method: 'PUT',
      path: '/phones/:number/history',
      handle: onPhone((phone, { body }) => {
        phone.history = body as History
      }),
    },
    {
      method: 'POST',
      path: '/phones/:number/history',
      handle: onPhone((phone) => phone.sendHistory()),
    },
    { method: 'POST', path: '/phones/:number/ask-again', handle: onPhone(askAgain) },
    { method: 'GET', path: '/phones/:number/messages', handle: onPhone(listMessages) },
    {
      method: 'DELETE',
      path: '/phones/:number/messages',
      handle: onPhone((phone) => {
        phone.inbox.clear()
        phone.sent.clear()
      }),
    },
    { method: 'GET', path: '/phones/:number/failures', handle: onPhone((phone) => phone.inbox.failures) },
    { method: 'GET', path: '/phones/:number/receipts', handle: onPhone(listReceipts) },
    { method: 'GET', path: '/phones/:number/presences', handle: onPhone((phone) => phone.inbox.presences) },
    {
      method: 'GET',
      path: '/phones/:number/sent',
      handle: onPhone((phone) => [...phone.sent.values()].filter(({ peer }) => !peer)),
    },
    {
      method: 'DELETE',
      path: '/phones/:number/devices/:device',
      handle: onPhone((phone, { parameters }) => {
        const device = phone.account.devices.get(Number(parameters.device))
        if (!device || device.id === 0) throw new PhoneError(404, 'There is no such linked device.')
        removeDevice(network, device)
      }),
    },
    {
      method: 'PATCH',
      path: '/groups/:jid',
      handle({ parameters, body }) {
        const author = phones.get(requiredText(body, 'by'))
        const group = network.groups.get(parameters.jid ?? '')
        if (!group?.members.has(author.account)) throw new PhoneError(404, 'The phone is in no such group.')
        group.addressing = addressingOf(body) ?? group.addressing
        const accounts = (field: string) => textList(body, field).map((number) => findRecipient(author, number))
        changeGroup(network, group, author.account, {
          subject: optionalText(body, 'subject'),
          announcement: optionalFlag(body, 'announce'),
          locked: optionalFlag(body, 'locked'),
          approval: optionalFlag(body, 'approval'),
          description: optionalText(body, 'description'),
          ephemeralSeconds: optionalNumber(body, 'ephemeralSeconds'),
          ask: accounts('ask'),
          add: accounts('add'),
          remove: accounts('remove'),
          promote: accounts('promote'),
          demote: accounts('demote'),
        })
        return describeGroup(group)
      },
    },
    { method: 'GET', path: '/groups', handle: () => [...network.groups.values()].map(describeGroup) },
    {
      method: 'POST',
      path: '/groups',
      handle({ body }) {
        const owner = phones.get(requiredText(body, 'owner'))
        const members = textList(body, 'members').map((number) => findRecipient(owner, number))
        const addressing = optionalText(body, 'addressing') === 'pn' ? 'pn' : 'lid'
        const group = createGroup(network, owner.account, requiredText(body, 'subject'), members, addressing)
        announceGroup(network, group)
        return describeGroup(group)
      },
    },
  ]
}

function describeGroup(group: Parameters<typeof announceGroup>[1]) {
  const { jid, subject, addressing, announcement, locked, approval, memberAddMode, description, inviteCode } = group
  const members = [...group.members].map(([account, role]) => ({ number: account.phoneNumber, role }))
  const requests = [...group.requests].map(({ phoneNumber }) => phoneNumber)
  const picture = group.picture?.toString('base64') ?? ''
  const { ephemeralSeconds } = group
  const settings = { announcement, locked, approval, memberAddMode, ephemeralSeconds }
  const community = { isParent: group.isParent, parent: group.parent?.jid ?? '' }
  return { jid, subject, addressing, members, ...settings, ...community, description, inviteCode, requests, picture }
}

function describe(phone: Phone) {
  const { account } = phone
  const devices = [...account.devices.values()].map((device) => ({
    id: device.id,
    jid: device.jid('pn'),
    lid: device.jid('lid'),
    platform: device.platform,
    connected: device.session !== undefined,
    active: device.session?.active ?? false,
    available: device.available,
    pending: device.pending.size,
    preKeys: device.preKeys.size,
  }))
  return {
    phone: account.phoneNumber,
    name: account.name,
    jid: account.jid('pn'),
    lid: account.jid('lid'),
    online: phone.online,
    settings: phone.settings,
    about: account.about,
    privacy: Object.fromEntries(account.privacy),
    disappearingSeconds: account.disappearing.seconds,
    picture: account.pictureBytes?.toString('base64') ?? '',
    devices,
  }
}

const CROWD_MAX = 20_000

/** Makes so many phones, with numbers that follow each other. */
function makeCrowd(phones: Roster, body: Body) {
  const first = Number(requiredText(body, 'first'))
  const count = optionalNumber(body, 'count') ?? 1
  if (!Number.isSafeInteger(first) || count < 1 || count > CROWD_MAX)
    throw new PhoneError(
      400,
      `A crowd has 1 to ${CROWD_MAX} phones, and the field first is the number of the first one.`,
    )
  const numbers = Array.from({ length: count }, (_, index) => String(first + index))
  for (const number of numbers) applySettings(phones.create(number, `Person ${number}`), body)
  return { numbers }
}

function applySettings(phone: Phone, body: Body): void {
  const settings: PhoneSettings = { ...phone.settings }
  for (const flag of ['autoDelivery', 'autoRead', 'refreshOnScan', 'greetCompanions', 'passkey'] as const)
    settings[flag] = optionalFlag(body, flag) ?? settings[flag]
  settings.reply = optionalText(body, 'reply') ?? settings.reply
  settings.addressing = addressingOf(body) ?? settings.addressing
  phone.account.picture = optionalText(body, 'picture') ?? phone.account.picture
  phone.settings = settings
  phone.account.presenceNeedsToken = optionalFlag(body, 'presenceNeedsToken') ?? phone.account.presenceNeedsToken
  const { silent, garbled } = phone.passkey.settings
  phone.passkey.settings = {
    silent: optionalFlag(body, 'passkeySilent') ?? silent,
    garbled: optionalFlag(body, 'passkeyGarbled') ?? garbled,
  }
}

function addressingOf(body: Body): AddressSpace | undefined {
  const value = optionalText(body, 'addressing')
  if (value === undefined || value === 'pn' || value === 'lid') return value
  throw new PhoneError(400, 'The field addressing is pn or lid.')
}

async function scan(phone: Phone, { body }: ControlRequest) {
  return linked(await phone.scan(requiredText(body, 'qr'), optionalFlag(body, 'refresh')))
}

function linked(result: ScanResult) {
  return result.status === 'paired' ? { status: result.status, device: result.device.id } : result
}

/** Signs the challenge of a companion with the passkey of the account, as a browser does. */
function signPasskey(phone: Phone, { body }: ControlRequest) {
  return phone.passkey.sign(requiredText(body, 'challenge'), optionalText(body, 'origin'), optionalText(body, 'rpId'))
}

function showPasskey({ passkey: { state, code = '', failure = '' } }: Phone) {
  return { state, code, failure }
}

async function sendText(phone: Phone, { body }: ControlRequest) {
  const text = requiredText(body, 'text')
  const quotedId = optionalText(body, 'quotedId')
  const message: proto.IMessage = quotedId
    ? { extendedTextMessage: { text, contextInfo: quoteOf(phone, quotedId) } }
    : { conversation: text }
  return transmit(phone, body, message)
}

/** Any message as the JSON of its proto (`proto.Message.fromObject`), or as its bytes. */
async function sendAny(phone: Phone, { body }: ControlRequest) {
  const bytes = optionalText(body, 'base64')
  const message =
    bytes === undefined
      ? proto.Message.fromObject(body.message as Body)
      : proto.Message.decode(Buffer.from(bytes, 'base64'))
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
  })
  return { ...(await transmit(phone, body, message)), sha256: sha256(bytes).toString('hex') }
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
  const addressing = addressingOf(body)
  const count = optionalNumber(body, 'count') ?? 1
  const to = requiredText(body, 'to')
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const numbered =
      count > 1 && message.conversation ? { conversation: `${message.conversation} ${index + 1}` } : message
    ids.push(await phone.send(to, numbered, { ...(id && count === 1 && { id }), ...(addressing && { addressing }) }))
  }
  return count > 1 ? { ids } : { id: ids[0] }
}

function change(kind: Change['kind']) {
  return async (phone: Phone, { body }: ControlRequest) => {
    const text = kind === 'edit' ? requiredText(body, 'text') : (optionalText(body, 'text') ?? '')
    return { id: await sendChange(phone, requiredText(body, 'id'), { kind, text }, addressingOf(body)) }
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
  const message = pollMessage(requiredText(body, 'question'), textList(body, 'options'), selectableCount)
  return transmit(phone, body, message)
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
  const jid = to.endsWith('@g.us') ? to : findRecipient(phone, to).jid(addressingOf(body) ?? phone.settings.addressing)
  const inner = state === 'recording' ? node('composing', { media: 'audio' }) : node(state, {})
  phone.transmit(node('chatstate', { to: jid }, [inner]))
}

/** The chat as the phone names it: groups by their JID, people by the number or the LID. */
function chatJid(phone: Phone, body: Body, field: string): string {
  const to = requiredText(body, field)
  if (to.endsWith('@g.us')) return to
  return findRecipient(phone, to).jid(addressingOf(body) ?? (to.endsWith('@lid') ? 'lid' : phone.settings.addressing))
}

function setChat(phone: Phone, { body }: ControlRequest): Promise<void> {
  const setting = Object.fromEntries(
    [
      ...(['archived', 'pinned', 'unread', 'deleted'] as const).map((field) => [field, optionalFlag(body, field)]),
      ['muteEndTime', optionalNumber(body, 'muteEndTime')],
    ].filter(([, value]) => value !== undefined),
  ) as ChatSetting
  return writeAll(phone, chatMutations(chatJid(phone, body, 'chat'), setting))
}

function setLabel(phone: Phone, { body }: ControlRequest): Promise<void> {
  const label = {
    name: optionalText(body, 'name') ?? '',
    color: optionalNumber(body, 'color') ?? 0,
    deleted: optionalFlag(body, 'deleted') ?? false,
  }
  return writeAll(phone, [labelMutation(requiredText(body, 'id'), label)])
}

function setQuickReply(phone: Phone, { body }: ControlRequest): Promise<void> {
  const reply = {
    shortcut: optionalText(body, 'shortcut') ?? '',
    message: optionalText(body, 'text') ?? '',
    deleted: optionalFlag(body, 'deleted') ?? false,
  }
  return writeAll(phone, [quickReplyMutation(requiredText(body, 'id'), reply)])
}

function writeUnreadably(phone: Phone, { body }: ControlRequest): Promise<void> {
  return phone.queue(() => phone.appState.writeUnreadably(requiredText(body, 'collection') as WAPatchName))
}

function setDisappearing(phone: Phone, { body }: ControlRequest) {
  const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type
  const ephemeralExpiration = optionalNumber(body, 'seconds') ?? 0
  return transmit(phone, body, { protocolMessage: { type: EPHEMERAL_SETTING, ephemeralExpiration } })
}

function labelChat(phone: Phone, { body }: ControlRequest): Promise<void> {
  const labeled = optionalFlag(body, 'labeled') ?? true
  return writeAll(phone, [chatLabelMutation(requiredText(body, 'label'), chatJid(phone, body, 'chat'), labeled)])
}

function setContact(phone: Phone, { body }: ControlRequest): Promise<void> {
  const number = requiredText(body, 'number')
  const [fullName, firstName] = [optionalText(body, 'name'), optionalText(body, 'firstName')]
  const lidJid = phone.network.directory.accounts.get(number)?.jid('lid')
  const contact = { ...(fullName && { fullName }), ...(firstName && { firstName }), ...(lidJid && { lidJid }) }
  return writeAll(phone, [contactMutation(`${number}@s.whatsapp.net`, contact)])
}

function writeAll(phone: Phone, mutations: readonly Mutation[]): Promise<void> {
  return phone.queue(async () => {
    for (const mutation of mutations) await phone.appState.write(mutation)
  })
}

function askAgain(phone: Phone, { body }: ControlRequest): void {
  const device = findRecipient(phone, requiredText(body, 'of')).devices.get(optionalNumber(body, 'device') ?? 1)
  if (!device) throw new PhoneError(404, 'That account has no such device.')
  phone.inbox.askFor({
    id: requiredText(body, 'id'),
    from: device.jid('lid'),
    t: String(Math.floor(Date.now() / 1000)),
  })
}

function block(phone: Phone, { body }: ControlRequest): void {
  const action = (optionalFlag(body, 'blocked') ?? true) ? 'block' : 'unblock'
  const item = node('item', { action, jid: findRecipient(phone, requiredText(body, 'number')).jid('lid') })
  phone.transmit(node('iq', { id: makeMessageId(), type: 'set', xmlns: 'blocklist', to: '@s.whatsapp.net' }, [item]))
}

function subscribe(phone: Phone, { body }: ControlRequest): void {
  phone.transmit(node('presence', { type: 'subscribe', to: findRecipient(phone, requiredText(body, 'to')).jid('pn') }))
}

function listMessages(phone: Phone, { query }: ControlRequest) {
  const chat = query.get('chat')
  const id = query.get('id')
  const text = query.get('text')
  const own = query.get('own')
  return [...phone.inbox.messages.values()].filter(
    (message) =>
      (chat === null || message.chat === chat) &&
      (id === null || message.id === id) &&
      (text === null || message.text === text) &&
      (own === null || String(message.own) === own),
  )
}

function listReceipts(phone: Phone, { query }: ControlRequest) {
  const id = query.get('id')
  return phone.inbox.receipts.filter((receipt) => id === null || receipt.id === id)
}
