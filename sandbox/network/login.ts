/** The login of a registered companion, and the session it opens. */
import { type proto, toNumber } from '@whiskeysockets/baileys'
import type { Connection } from '../wire/connection.js'
import { type Node, node, nowSeconds } from '../wire/nodes.js'
import type { Device, Session } from './model.js'
import type { Network } from './network.js'
import { becomeUnavailable, endSubscriptions } from './presence.js'

export class ClientSession implements Session {
  active = false

  constructor(
    readonly device: Device,
    readonly login: number,
    readonly connection: Connection,
  ) {}

  send(stanza: Node): void {
    this.connection.send(stanza)
  }

  end(last?: Node): void {
    this.connection.end(last)
  }
}

/** Checks who logs in; answers `<success>` or `<failure>`. */
export function openSession(
  network: Network,
  connection: Connection,
  payload: proto.ClientPayload,
  noiseKey: Buffer,
): ClientSession | undefined {
  const phoneNumber = String(toNumber(payload.username as number))
  const deviceId = payload.device ?? 0
  const isTooOld = !network.clientVersion.takes(payload)
  const refusal =
    network.faults.loginFailure(phoneNumber, deviceId) ?? (isTooOld ? { reason: 405, attributes: {} } : undefined)
  const device = network.directory.accounts.get(phoneNumber)?.devices.get(deviceId)
  if (refusal !== undefined || !device?.noiseKey?.equals(noiseKey)) {
    const { reason, attributes } = refusal ?? { reason: 401, attributes: {} }
    network.log.closeLogin(network.log.openLogin(phoneNumber, deviceId, connection.upgrade), `failure ${reason}`)
    connection.end(node('failure', { ...attributes, reason: String(reason), location: 'sandbox' }))
    return undefined
  }
  const session = new ClientSession(
    device,
    network.log.openLogin(phoneNumber, deviceId, connection.upgrade),
    connection,
  )
  replaceSession(network, device)
  device.session = session
  network.sessions.add(session)
  const effects = network.faults.connectionEffects(device)
  connection.delayMs = effects.delayMs
  session.send(
    node('success', {
      t: nowSeconds(),
      lid: device.jid('lid'),
      props: '27',
      location: 'sandbox',
      creation: nowSeconds(),
    }),
  )
  session.send(
    node('ib', { from: '@s.whatsapp.net' }, [
      node('edge_routing', {}, [node('routing_info', {}, Buffer.from('sandbox'))]),
    ]),
  )
  connection.silent = effects.silent
  return session
}

export function closeSession(network: Network, session: ClientSession, error: Error | undefined): void {
  network.log.closeLogin(session.login, error ? `error: ${error.message}` : 'closed')
  network.sessions.delete(session)
  session.active = false
  const { device } = session
  if (device.session !== session) return
  device.session = undefined
  becomeUnavailable(network, device)
  endSubscriptions(network, device)
}

function replaceSession(network: Network, device: Device): void {
  const old = device.session
  if (!old) return
  old.active = false
  if (!network.faults.kickOldSessions) return
  const last = node('stream:error', {}, [node('conflict', { type: 'replaced' })])
  network.endSession(old, 'conflict', last)
}
