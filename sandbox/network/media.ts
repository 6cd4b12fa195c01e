/** Media as far as it goes over the websocket: where files are sent to, and how a phone is asked for one again. */
import { child, type Node, node } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Session } from './model.js'
import type { Network } from './network.js'

export function handleMedia(network: Network, _session: Session, iq: Node): Node[] {
  if (!child(iq, 'media_conn')) throw new IqError(400, 'bad-request')
  const { hostname, auth, ttlSeconds } = network.media.connection
  const host = node('host', { hostname, maxContentLengthBytes: '268435456' })
  return [node('media_conn', { auth, ttl: String(ttlSeconds) }, [host])]
}

/** A companion lacks the file of a message (`server-error`): its own phone is asked to put it on the host again. */
export function askPhoneForMedia(network: Network, session: Session, stanza: Node): void {
  const { account } = session.device
  const phone = account.devices.get(0)
  if (!phone || phone === session.device) return
  const { id, type, t } = stanza.attrs
  network.deliver(phone, node('receipt', { id, type, t, from: session.device.jid('pn') }, stanza.content))
}
