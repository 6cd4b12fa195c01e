/** Status posts: to the devices that a stanza names and to nobody else, receipts back to the author, and who may see them by default. */
import { child, children, type Node, node } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Account, Device, Session } from './model.js'
import type { Network } from './network.js'

export const STATUS = 'status@broadcast'

/** Names of the lists on the wire (whatsmeow `broadcast.go`). */
const LISTS = ['contacts', 'whitelist', 'blacklist'] as const

export interface StatusSetting {
  type: (typeof LISTS)[number]
  people: Account[]
}

/** A stanza with a post, as the server saw it. */
export interface StatusStanza {
  readonly id: string
  readonly author: string
  /** The audience that the client named. */
  readonly setting: string | null
  readonly devices: number
}

export function relayStatus(
  network: Network,
  sender: Device,
  stanza: Node,
  attributes: Record<string, string | undefined>,
  forwarded: (stanza: Node, encrypted: Node[]) => Node[],
): void {
  const shared = children(stanza, 'enc')
  const deliver = (device: Device, encrypted: Node[]): void =>
    network.deliver(device, node('message', attributes, [...encrypted, ...forwarded(stanza, encrypted)]))
  const only = network.directory.device(stanza.attrs.participant)
  if (only) deliver(only, shared)
  const targets = children(child(stanza, 'participants'), 'to')
  if (stanza.attrs.participant === undefined)
    network.statusStanzas.push({
      id: stanza.attrs.id ?? '',
      author: sender.account.phoneNumber,
      setting: child(stanza, 'meta')?.attrs.status_setting ?? null,
      devices: targets.length,
    })
  for (const target of targets) {
    const device = network.directory.device(target.attrs.jid)
    if (!device || device === sender || device.account.blocked.has(sender.account)) continue
    deliver(device, [...children(target, 'enc'), ...shared])
  }
}

/** Answers who may see the posts of the account. */
export function statusPrivacy({ device }: Session): Node[] {
  const { statusSetting } = device.account
  if (statusSetting === 'refused') throw new IqError(403, 'forbidden')
  const lists = LISTS.map((type) => {
    const isChosen = type === statusSetting.type
    const users = isChosen ? statusSetting.people.map((person) => node('user', { jid: person.jid('lid') })) : []
    return node('list', { type, default: isChosen ? 'true' : undefined }, users)
  })
  return [node('privacy', {}, lists)]
}
