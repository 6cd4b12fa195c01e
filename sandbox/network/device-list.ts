/** Tells an account's devices and its acquaintances that it gained or lost a device. */
import { node, nowSeconds } from '../wire/nodes.js'
import type { Account, AddressSpace, Device } from './model.js'
import type { Network } from './network.js'

export function announceDevice(network: Network, changed: Device, change: 'add' | 'remove'): void {
  const { account } = changed
  for (const acquaintance of new Set<Account>([account, ...account.acquaintances])) {
    for (const device of acquaintance.devices.values()) {
      if (device === changed) continue
      for (const space of ['pn', 'lid'] as const) network.deliver(device, deviceNotice(network, changed, change, space))
    }
  }
}

function deviceNotice(network: Network, changed: Device, change: 'add' | 'remove', space: AddressSpace) {
  return node(
    'notification',
    { from: changed.account.jid(space), type: 'devices', id: network.makeId(), t: nowSeconds() },
    [
      node(change, {}, [
        node('device', { jid: changed.jid(space), 'key-index': String(changed.keyIndex) }),
        node('key-index-list', { ts: nowSeconds() }),
      ]),
    ],
  )
}

/** Takes a device out of its account and ends its login as the real network does. */
export function removeDevice(network: Network, device: Device): void {
  device.account.devices.delete(device.id)
  device.account.presenceSubscribers.delete(device)
  device.pending.clear()
  device.preKeys.clear()
  announceDevice(network, device, 'remove')
  const { session } = device
  if (session) {
    const last = node('stream:error', { code: '401' }, [node('conflict', { type: 'device_removed' })])
    network.endSession(session, 'device removed', last)
  }
}
