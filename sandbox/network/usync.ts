/** usync: who is on the network, with which devices, LID, about text. Unknown numbers are absent from the answer. */
import { bytes, child, children, type Node, node, nowSeconds, text } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Account, Address, Session } from './model.js'
import type { Network } from './network.js'
import { privacyOf } from './settings.js'

export function handleUsync(network: Network, session: Session, iq: Node): Node[] {
  const usync = child(iq, 'usync')
  const protocols = children(child(usync, 'query')).map(({ tag }) => tag)
  const refusal = protocols.includes('contact') ? network.faults.lookUpRefusal(session.device) : undefined
  if (refusal !== undefined) throw new IqError(refusal, 'refused')
  const users: Node[] = []
  for (const asked of children(child(usync, 'list'), 'user')) {
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
    case 'status':
      return privacyOf(account, 'status') === 'none'
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
