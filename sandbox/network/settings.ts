/** Account settings that clients ask for and change: privacy, blocklist, about, picture. */
import { randomBytes } from 'node:crypto'
import { bytes, child, children, type Node, node, nowSeconds, text } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Account, Device, Session } from './model.js'
import type { Network } from './network.js'
import { statusPrivacy } from './status.js'

const AUDIENCE = ['all', 'contacts', 'contact_blacklist', 'none']

/** The values that each category takes; the first is the default (whatsmeow `types/user.go`, zapo). */
const PRIVACY: Readonly<Record<string, readonly string[]>> = {
  readreceipts: ['all', 'none'],
  last: AUDIENCE,
  online: ['all', 'match_last_seen'],
  profile: AUDIENCE,
  status: AUDIENCE,
  groupadd: AUDIENCE,
  calladd: ['all', 'known', 'contacts'],
  messages: ['all', 'contacts'],
  defense: ['off', 'on_standard'],
  stickers: ['contacts', 'contact_allowlist', 'none'],
  linked_profiles: AUDIENCE,
  pix: AUDIENCE,
}

export function handlePrivacy(network: Network, session: Session, iq: Node): Node[] {
  const { account } = session.device
  const tokens = child(iq, 'tokens')
  if (tokens) {
    issueTokens(network, session, tokens)
    return []
  }
  if (iq.attrs.type === 'set') setPrivacy(network, session, children(child(iq, 'privacy'), 'category'))
  return [node('privacy', {}, listCategories(account, Object.keys(PRIVACY)))]
}

export function findPrivacy(account: Account, name: string): string {
  return account.privacy.get(name) ?? PRIVACY[name]?.[0] ?? ''
}

/** Nothing is changed when any of the values is not allowed. The other devices hear of a change. */
function setPrivacy(network: Network, session: Session, categories: readonly Node[]): void {
  const { account } = session.device
  const changes = categories.map(({ attrs: { name = '', value = '' } }) => ({ name, value }))
  const isRefused = network.faults.privacyRefusal(session.device, changes)
  if (isRefused !== undefined) throw new IqError(isRefused, 'refused')
  if (changes.length === 0 || changes.some(({ name, value }) => !PRIVACY[name]?.includes(value)))
    throw new IqError(400, 'bad-request')
  for (const { name, value } of changes) account.privacy.set(name, value)
  const told = node(
    'privacy',
    {},
    listCategories(
      account,
      changes.map(({ name }) => name),
    ),
  )
  tellOtherDevices(network, account, session.device, told)
}

function listCategories(account: Account, names: readonly string[]): Node[] {
  return names.map((name) => {
    const value = findPrivacy(account, name)
    // The list of people whom the phone excludes; nobody has changed it yet.
    return node('category', { name, value, dhash: value === 'contact_blacklist' ? 'none' : undefined })
  })
}

/** Changes a setting on the phone itself. */
export function setPrivacyOnPhone(network: Network, account: Account, name: string, value: string): void {
  account.privacy.set(name, value)
  tellOtherDevices(network, account, undefined, node('privacy', {}, listCategories(account, [name])))
}

function tellOtherDevices(network: Network, account: Account, author: Device | undefined, change: Node): void {
  for (const device of account.devices.values()) {
    if (device === author || device.id === 0) continue
    const attributes = { from: account.jid('pn'), type: 'account_sync', id: network.makeId(), t: nowSeconds() }
    network.deliver(device, node('notification', attributes, [change]))
  }
}

/** A client trusts a contact: the contact's devices get a token to show when they write, or ask for a presence. */
function issueTokens(network: Network, session: Session, tokens: Node): void {
  for (const { attrs } of children(tokens, 'token')) {
    const contact = network.directory.resolve(attrs.jid)
    if (contact) issueToken(network, session.device.account, contact.account, attrs.t)
  }
}

export function issueToken(network: Network, account: Account, contact: Account, t = nowSeconds()): void {
  if (contact === account) return
  const bytes = randomBytes(16)
  account.tokens.set(contact, bytes)
  const token = node('token', { type: 'trusted_contact', t }, bytes)
  for (const device of contact.devices.values()) {
    if (device.id === 0) continue
    const from = { from: account.jid('pn'), sender_lid: account.jid('lid') }
    const attributes = { ...from, type: 'privacy_token', id: network.makeId(), t: nowSeconds() }
    network.deliver(device, node('notification', attributes, [node('tokens', {}, [token])]))
  }
}

export function handleBlocklist(network: Network, session: Session, iq: Node): Node[] {
  const { account } = session.device
  const item = child(iq, 'item')
  if (iq.attrs.type === 'set') {
    const target = network.directory.resolve(item?.attrs.jid)?.account
    if (!item || !target || !isIdentified(network, item, target)) throw new IqError(400, 'bad-request')
    if (item.attrs.action === 'block') account.blocked.add(target)
    else account.blocked.delete(target)
    for (const device of account.devices.values()) {
      if (device === session.device) continue
      const attributes = { from: account.jid('pn'), type: 'account_sync', id: network.makeId(), t: nowSeconds() }
      const change = node('item', { action: item.attrs.action, jid: target.jid('lid') })
      network.deliver(device, node('notification', attributes, [node('blocklist', {}, [change])]))
    }
  }
  const items = [...account.blocked].map((blocked) => node('item', { jid: blocked.jid('lid') }))
  return [node('list', {}, items)]
}

/** By what else a blocked LID is known: exactly one of these, and a true one (zapo `src/protocol/privacy.ts`). */
const IDENTIFIERS = ['pn_jid', 'username', 'display_name', 'unknown_identifier']

function isIdentified(network: Network, { attrs }: Node, target: Account): boolean {
  if (!attrs.jid?.endsWith('@lid')) return false
  if (attrs.action !== 'block') return attrs.action === 'unblock'
  const given = IDENTIFIERS.filter((name) => attrs[name] !== undefined)
  if (given.length !== 1) return false
  if (attrs.pn_jid !== undefined) return network.directory.resolve(attrs.pn_jid)?.account === target
  if (attrs.username !== undefined) return network.directory.named(attrs.username) === target
  return attrs.unknown_identifier === undefined || attrs.unknown_identifier === 'true'
}

export function handleStatus(_network: Network, session: Session, iq: Node): Node[] {
  if (iq.attrs.type === 'get' && child(iq, 'privacy')) return statusPrivacy(session)
  const status = child(iq, 'status')
  if (status && iq.attrs.type === 'set') session.device.account.about = text(status)
  return []
}

/** Durations that the clients offer. */
const DURATIONS = new Set([0, 86_400, 604_800, 7_776_000])

export function handleDisappearingMode(network: Network, session: Session, iq: Node): Node[] {
  const { account } = session.device
  const mode = child(iq, 'disappearing_mode')
  const duration = Number(mode?.attrs.duration ?? Number.NaN)
  if (iq.attrs.type !== 'set' || !DURATIONS.has(duration)) throw new IqError(400, 'bad-request')
  account.disappearing = { seconds: duration, t: nowSeconds() }
  const told = node('disappearing_mode', { duration: String(duration), t: account.disappearing.t })
  tellOtherDevices(network, account, session.device, told)
  return []
}

/** Where the picture of a person is; a change of the own one or of a group's. */
export function handlePicture(network: Network, session: Session, iq: Node): Node[] {
  const { account } = session.device
  const { type, target } = iq.attrs
  if (type === 'set') {
    const jpeg = acceptedPicture(iq)
    if (target === undefined) {
      account.pictureBytes = jpeg
      account.picture = pictureUrl(network, jpeg)
      tellOtherDevices(network, account, session.device, node('picture', {}))
    } else {
      const group = network.groups.get(target)
      const role = group?.members.get(account)
      if (!group || role === undefined || (group.locked && role === 'member')) throw new IqError(403, 'forbidden')
      group.picture = jpeg
      group.pictureUrl = pictureUrl(network, jpeg)
    }
    return jpeg === undefined ? [] : [node('picture', { id: '1' })]
  }
  const { type: size = 'image' } = child(iq, 'picture')?.attrs ?? {}
  const group = network.groups.get(target ?? '')
  if (group?.members.has(account) && group.pictureUrl !== undefined)
    return [node('picture', { id: '1', type: size, url: `${group.pictureUrl}&${size}` })]
  const of = network.directory.resolve(target)?.account
  if (of !== account && of !== undefined && findPrivacy(of, 'profile') === 'none')
    throw new IqError(401, 'not-authorized')
  if (of?.picture === undefined) throw new IqError(404, 'item-not-found')
  return [node('picture', { id: '1', type: size, url: `${of.picture}${of.picture.includes('?') ? '&' : '?'}${size}` })]
}

/** Puts the picture on the media host, as it is: pictures of accounts are not encrypted. */
function pictureUrl({ media }: Network, jpeg: Buffer | undefined): string | undefined {
  return jpeg && media.url(media.put('pps', jpeg).directPath)
}

const PICTURE_MAX_PX = 640

/** Returns undefined for a request that removes the picture. Only JPEG of at most 640 by 640 is taken (whatsmeow `SetGroupPhoto`). */
function acceptedPicture(iq: Node): Buffer | undefined {
  const picture = child(iq, 'picture')
  if (picture === undefined) return undefined
  const jpeg = bytes(picture)
  const size = jpegSize(jpeg)
  if (size === undefined || size.width > PICTURE_MAX_PX || size.height > PICTURE_MAX_PX)
    throw new IqError(406, 'not-acceptable')
  return jpeg
}

/** Reads the size from the frame header of a JPEG. */
function jpegSize(jpeg: Buffer): { width: number; height: number } | undefined {
  if (jpeg.length < 4 || jpeg.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 < jpeg.length && jpeg[at] === 0xff; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: jpeg.readUInt16BE(at + 5), width: jpeg.readUInt16BE(at + 7) }
  }
  return undefined
}
