/** What a phone remembers of messages and receipts, as the control API shows it. */
import { type proto, toNumber } from '@whiskeysockets/baileys'

export interface ReceivedMessage {
  id: string
  /** Number of the other side, or the group's JID. */
  chat: string
  /** Number of the author. */
  from: string
  fromDevice: number
  /** A copy of what one of the own companions sent. */
  own: boolean
  text: string | null
  /** The proto's field: `conversation`, `extendedTextMessage`, `imageMessage`, … */
  kind: string
  quotedId: string | null
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
  message: unknown
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

export interface SentMessage {
  id: string
  chat: string
  message: proto.IMessage
  /** The server's ack: `null` while there is none, else the error code or 0. */
  ack: number | null
  peer: boolean
}

export function kindOf(message: proto.IMessage): string {
  const ignored = new Set(['messageContextInfo', 'senderKeyDistributionMessage'])
  return Object.keys(message).find((key) => !ignored.has(key)) ?? 'unknown'
}

export function textOf(message: proto.IMessage): string | null {
  const inner = message.ephemeralMessage?.message ?? message.viewOnceMessage?.message ?? message
  return (
    inner.conversation ??
    inner.extendedTextMessage?.text ??
    inner.imageMessage?.caption ??
    inner.videoMessage?.caption ??
    inner.documentMessage?.caption ??
    inner.reactionMessage?.text ??
    inner.protocolMessage?.editedMessage?.conversation ??
    null
  )
}

export function quotedIdOf(message: proto.IMessage): string | null {
  for (const value of Object.values(message)) {
    const context = (value as { contextInfo?: proto.IContextInfo } | null)?.contextInfo
    if (context?.stanzaId) return context.stanzaId
  }
  return null
}

export function seconds(value: string | undefined): number {
  return toNumber(Number(value ?? 0))
}
