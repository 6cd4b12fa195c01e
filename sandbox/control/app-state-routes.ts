/** `/phones/:number/…`: chats, labels, contacts and quick replies as a phone sets them. */
import type { WAPatchName } from '@whiskeysockets/baileys'
import {
  type ChatSetting,
  chatLabelMutation,
  chatMutations,
  contactMutation,
  labelMutation,
  lidContactMutation,
  type Mutation,
  noteMutation,
  quickReplyMutation,
  starMutation,
} from '../phones/app-state.js'
import { saltMutation } from '../phones/contact-salt.js'
import { findRecipient } from '../phones/outbox.js'
import type { Phone } from '../phones/phone.js'
import type { Roster } from '../phones/roster.js'
import { keyOfTarget } from '../phones/secret-changes.js'
import { optionalFlag, optionalNumber, optionalText, requiredText } from './fields.js'
import { createOnPhone, readAddressing } from './on-phone.js'
import type { ControlRequest, Route } from './server.js'

type Body = Record<string, unknown>

export function appStateRoutes(phones: Roster): Route[] {
  const onPhone = createOnPhone(phones)
  return [
    { method: 'POST', path: '/phones/:number/chats', handle: onPhone(setChat) },
    { method: 'POST', path: '/phones/:number/notes', handle: onPhone(setNote) },
    { method: 'POST', path: '/phones/:number/star', handle: onPhone(setStar) },
    { method: 'POST', path: '/phones/:number/labels', handle: onPhone(setLabel) },
    { method: 'POST', path: '/phones/:number/quick-replies', handle: onPhone(setQuickReply) },
    { method: 'POST', path: '/phones/:number/unreadable', handle: onPhone(writeUnreadably) },
    { method: 'POST', path: '/phones/:number/chat-labels', handle: onPhone(labelChat) },
    { method: 'POST', path: '/phones/:number/contacts', handle: onPhone(setContact) },
    { method: 'POST', path: '/phones/:number/contact-salt', handle: onPhone(setContactSalt) },
    {
      method: 'GET',
      path: '/phones/:number/app-state',
      handle: onPhone((phone) => phone.queue(() => phone.appState.read())),
    },
  ]
}

/** The chat as the phone names it: groups by their JID, people by the number or the LID. */
function chatJid(phone: Phone, body: Body, field: string): string {
  const to = requiredText(body, field)
  if (to.endsWith('@g.us')) return to
  return findRecipient(phone, to).jid(readAddressing(body) ?? (to.endsWith('@lid') ? 'lid' : phone.settings.addressing))
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

function setNote(phone: Phone, { body }: ControlRequest): Promise<void> {
  const jid = chatJid(phone, body, 'chat')
  return writeAll(phone, [noteMutation(requiredText(body, 'id'), jid, optionalText(body, 'text') ?? '')])
}

function setStar(phone: Phone, { body }: ControlRequest): Promise<void> {
  const { key } = keyOfTarget(phone, requiredText(body, 'id'), { addressing: readAddressing(body) })
  return writeAll(phone, [starMutation(key, optionalFlag(body, 'starred') ?? true)])
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

/** With `isSynced` the companions learn it at once; else from the next history, if the setting `saltInHistory` is set. */
async function setContactSalt(phone: Phone, { body }: ControlRequest): Promise<void> {
  const base64 = optionalText(body, 'base64')
  phone.account.contactSalt = base64 === undefined ? undefined : Buffer.from(base64, 'base64')
  if (optionalFlag(body, 'isSynced') ?? true) await writeAll(phone, [saltMutation(phone.account.contactSalt)])
}

function writeUnreadably(phone: Phone, { body }: ControlRequest): Promise<void> {
  return phone.queue(() => phone.appState.writeUnreadably(requiredText(body, 'collection') as WAPatchName))
}

function labelChat(phone: Phone, { body }: ControlRequest): Promise<void> {
  const labeled = optionalFlag(body, 'labeled') ?? true
  return writeAll(phone, [chatLabelMutation(requiredText(body, 'label'), chatJid(phone, body, 'chat'), labeled)])
}

function setContact(phone: Phone, { body }: ControlRequest): Promise<void> {
  const number = requiredText(body, 'number')
  const [fullName, firstName] = [optionalText(body, 'name'), optionalText(body, 'firstName')]
  const lidJid = phone.network.directory.accounts.get(number)?.jid('lid')
  const username = optionalText(body, 'username')
  const contact = {
    ...(fullName && { fullName }),
    ...(firstName && { firstName }),
    ...(lidJid && { lidJid }),
    ...(username && { username }),
  }
  if (lidJid !== undefined && optionalFlag(body, 'byLid') === true)
    return writeAll(phone, [
      lidContactMutation(lidJid, { ...(fullName && { fullName }), ...(username && { username }) }),
    ])
  return writeAll(phone, [contactMutation(`${number}@s.whatsapp.net`, contact)])
}

function writeAll(phone: Phone, mutations: readonly Mutation[]): Promise<void> {
  return phone.queue(async () => {
    for (const mutation of mutations) await phone.appState.write(mutation)
  })
}
