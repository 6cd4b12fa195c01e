/** Messages of a phone that the network delivers as stanzas of kinds of their own. */
import type { proto } from '@whiskeysockets/baileys'
import { STATUS } from '../network/status.js'
import { type Node, node, nowSeconds } from '../wire/nodes.js'
import { findRecipient, makeMessageId } from './outbox.js'
import type { Phone } from './phone.js'

export interface StatusPost {
  /** Numbers of those who see it. */
  readonly to: readonly string[]
  readonly message: proto.IMessage
  /** Tag of the stanza: that of before, or the one that the network uses since July 2026 (oxidezap/whatsapp-rust pull request 1101). */
  readonly form: 'status' | 'message'
  /** The sender key is not told, so that nobody who does not know it can read the post. */
  readonly keepsKey: boolean
}

/** Posts a status for the clients of these people. */
export async function postStatus(phone: Phone, { to, message, form, keepsKey }: StatusPost): Promise<{ id: string }> {
  const { signal, device, account, network } = phone
  const id = makeMessageId()
  const readers = to
    .flatMap((number) => [...findRecipient(phone, number).devices.values()])
    .filter(({ noiseKey }) => noiseKey !== undefined)
  const post = await signal.encryptForGroup(device, STATUS, message, keepsKey ? [] : readers)
  const attributes = {
    id,
    from: STATUS,
    participant: device.jid('lid'),
    participant_pn: account.jid('pn'),
    type: 'text',
    t: nowSeconds(),
    notify: account.name,
  }
  for (const reader of readers) {
    const content: Node[] = []
    if (post.newcomers.includes(reader)) {
      const { type, ciphertext } = await signal.encrypt(reader, { senderKeyDistributionMessage: post.distribution })
      content.push(node('enc', { v: '2', type }, ciphertext))
    }
    network.deliver(
      reader,
      node(form, attributes, [...content, node('enc', { v: '2', type: 'skmsg' }, post.ciphertext)]),
    )
  }
  return { id }
}

/** Sends a message to the own clients as a stanza `<appdata>`, which they decrypt like a message (tulir/whatsmeow commit a2381054). */
export async function sendAppData(phone: Phone, message: proto.IMessage): Promise<{ id: string }> {
  const { account, network, signal } = phone
  const id = makeMessageId()
  for (const device of account.devices.values()) {
    if (device.noiseKey === undefined) continue
    const { type, ciphertext } = await signal.encrypt(device, message)
    const attributes = { id, from: account.jid('pn'), type: 'text', category: 'peer', t: nowSeconds() }
    network.deliver(device, node('appdata', attributes, [node('enc', { v: '2', type }, ciphertext)]))
  }
  return { id }
}
