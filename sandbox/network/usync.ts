/** usync: who is on the network, with which devices, LID, about text. Unknown numbers are absent from the answer. */
import { bytes, child, children, type Node, node, nowSeconds, text } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Account, Address, Session } from './model.js'
import type { Network } from './network.js'
import { findPrivacy } from './settings.js'

export function handleUsync(network: Network, session: Session, iq: Node): Node[] {
  const usync = child(iq, 'usync')
  const protocols = children(child(usync, 'query')).map(({ tag }) => tag)
  const refusal = protocols.includes('contact') ? network.faults.lookUpRefusal(session.device) : undefined
  if (refusal !== undefined) throw new IqError(refusal, 'refused')
  const users: Node[] = []
  const isByLid = child(child(usync, 'query'), 'contact')?.attrs.addressing_mode === 'lid'
  for (const asked of children(child(usync, 'list'), 'user')) {
    if (child(asked, 'contact')?.attrs.username !== undefined) {
      users.push(userNamed(network, session, asked, isByLid))
      continue
    }
    const found = find(network, asked)
    if (!found) continue
    found.address.account.acquaintances.add(session.device.account)
    const answers = protocols.map((protocol) => answer(protocol, found.address, child(asked, 'contact')))
    users.push(
      node(
        'user',
        { jid: found.jid },
        answers.filter((item) => item !== undefined),
      ),
    )
  }
  const results = protocols.map((protocol) => node(protocol, {}))
  return [node('usync', { ...usync?.attrs }, [node('result', {}, results), node('list', {}, users)])]
}

/**
 * Answers a look-up of a username, which is by LID only (zapo `src/client/coordinators`, wppconnect-team/wa-js pull request 3550). One that has
 * a key is named without a JID until the key is right.
 */
function userNamed(network: Network, session: Session, asked: Node, isByLid: boolean): Node {
  const { username = '', pin = '' } = child(asked, 'contact')?.attrs ?? {}
  if (!isByLid || asked.attrs.jid !== undefined) throw new IqError(400, 'bad-request')
  const account = username === '' ? undefined : network.directory.named(username)
  if (account === undefined) return node('user', {}, [node('contact', { type: 'out' })])
  if (account.usernameKey !== '' && account.usernameKey !== pin)
    return node('user', {}, [node('contact', { type: 'in' })])
  account.acquaintances.add(session.device.account)
  return node('user', { jid: account.jid('lid') }, [node('contact', { type: 'in' })])
}

function find(network: Network, asked: Node): { jid: string; address: Address } | undefined {
  const contact = text(child(asked, 'contact')).replace(/\D/g, '')
  if (contact) {
    const account = network.directory.spelled(contact)
    return account && { jid: account.jid('pn'), address: { account, deviceId: 0, space: 'pn' } }
  }
  const address = network.directory.resolve(asked.attrs.jid)
  return address && { jid: address.account.jid(address.space), address }
}

function answer(protocol: string, { account, space }: Address, contact: Node | undefined): Node | undefined {
  switch (protocol) {
    case 'contact':
      // With what was asked, since the JID may be spelled otherwise (whatsmeow `user.go`, `IsOnWhatsApp`).
      return node('contact', { type: 'in' }, contact && bytes(contact))
    case 'devices':
      return node('devices', {}, deviceList(account))
    case 'lid':
      return space === 'pn' ? node('lid', { val: account.jid('lid') }) : undefined
    case 'username':
      return node('username', {}, account.username === '' ? undefined : Buffer.from(account.username))
    case 'status':
      return findPrivacy(account, 'status') === 'none'
        ? node('status', { code: '401' })
        : node('status', { t: nowSeconds() }, Buffer.from(account.about))
    case 'disappearing_mode':
      return node('disappearing_mode', { duration: String(account.disappearing.seconds), t: account.disappearing.t })
    default:
      return undefined
  }
}

function deviceList(account: Account): Node[] {
  const devices = [...account.devices.values()].map(({ id, keyIndex }) =>
    node('device', { id: String(id), 'key-index': id === 0 ? undefined : String(keyIndex) }),
  )
  return [
    node('device-list', { hash: `2:${account.devices.size}` }, devices),
    node('key-index-list', { ts: nowSeconds() }),
  ]
}
