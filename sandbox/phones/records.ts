/** Records of messages and receipts that a phone keeps, as the control API shows them. */
import { type proto, toNumber } from '@whiskeysockets/baileys'
import type { Node } from '../wire/nodes.js'
import type { ShownMedia } from './media.js'
import { drawnMenu, isMenu, type ShownMenu } from './menus.js'
import type { Mentioned } from './named-people.js'
import { drawnPoll, type ShownPoll } from './polls.js'

/** A message as its readers see it, after all that was done to it. */
export interface Shown {
  /** The present text; null when it has none or was deleted. */
  text: string | null
  edited: boolean
  deleted: boolean
  /** For how many seconds it was pinned last; 0: it is not. */
  pinned: number
  /** It does not disappear with the others of its chat. */
  kept?: boolean
  /** One for each person at most. */
  reactions: { from: string; text: string }[]
  /** Buttons, a list, a carousel or a payment key, when it is drawn. */
  menu: ShownMenu | null
  poll: ShownPoll | null
  /** It came, and the phone draws nothing of it. */
  hidden: boolean
}

export interface ReceivedMessage extends Shown {
  /** The files in it, those of headers and cards included. */
  media: ShownMedia[]
  id: string
  /** Id of the large copy whose file it shows. That copy is hidden. */
  hd?: string
  /** Number of the other side, or the group's JID. */
  chat: string
  /** Number of the author. */
  from: string
  fromDevice: number
  /** A copy of what one of the own companions sent. */
  own: boolean
  /** The proto's field: `conversation`, `extendedTextMessage`, `imageMessage`, … */
  kind: string
  quotedId: string | null
  mentions: Mentioned[]
  pushName: string | null
  /** Seconds, as the server stamped it. */
  timestamp: number
  atMs: number
  offline: boolean
  /** How often a stanza with this id arrived and was decrypted. */
  arrivals: number
  /** Number of its first arrival among all messages of this phone. */
  order: number
  /** The whole decoded message. */
  message: proto.IMessage
}

export interface DecryptFailure {
  id: string
  from: string
  error: string
  atMs: number
}

export interface SeenReceipt {
  id: string
  /** `delivery`, `read`, `read-self`, `played`, `inactive`, `retry`, … */
  type: string
  from: string
  fromDevice: number
  chat: string
  atMs: number
}

export interface SentMessage extends Shown {
  id: string
  chat: string
  message: proto.IMessage
  /** The server's ack: `null` while there is none, else the error code or 0. */
  ack: number | null
  peer: boolean
}

/** Returns what a message shows when it has just been written. Of one that came, `stanza` is what it came in. */
export function asWritten(message: proto.IMessage, stanza?: Node): Shown {
  const menu = stanza === undefined ? null : drawnMenu(message, stanza)
  const poll = drawnPoll(message)
  return {
    text: menu === null ? (poll?.question ?? readText(message)) : textOfMenu(menu),
    edited: false,
    deleted: false,
    pinned: 0,
    reactions: [],
    menu,
    poll,
    hidden: stanza !== undefined && menu === null && isMenu(message),
  }
}

function textOfMenu(menu: ShownMenu): string {
  return menu.type === 'payment' ? menu.name : menu.text
}

export function chooseKind(message: proto.IMessage): string {
  const ignored = new Set(['messageContextInfo', 'senderKeyDistributionMessage'])
  return Object.keys(message).find((key) => !ignored.has(key)) ?? 'unknown'
}

export function readText(message: proto.IMessage): string | null {
  const inner =
    message.ephemeralMessage?.message ??
    message.viewOnceMessage?.message ??
    message.viewOnceMessageV2?.message ??
    message.documentWithCaptionMessage?.message ??
    message
  return (
    inner.conversation ??
    inner.extendedTextMessage?.text ??
    inner.imageMessage?.caption ??
    inner.videoMessage?.caption ??
    inner.documentMessage?.caption ??
    inner.reactionMessage?.text ??
    inner.buttonsResponseMessage?.selectedDisplayText ??
    inner.templateButtonReplyMessage?.selectedDisplayText ??
    inner.interactiveResponseMessage?.body?.text ??
    inner.listResponseMessage?.title ??
    inner.protocolMessage?.editedMessage?.conversation ??
    inner.protocolMessage?.editedMessage?.extendedTextMessage?.text ??
    null
  )
}

export function seconds(value: string | undefined): number {
  return toNumber(Number(value ?? 0))
}
