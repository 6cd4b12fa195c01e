/** Requests (`iq`) of logged-in devices, by namespace; each handler returns the content of its answer. */
import { child, type Node, node } from '../wire/nodes.js'
import { handleAppState } from './app-state.js'
import { handleBusiness, handleCatalog, handleOrder } from './business.js'
import { handleNewsletter } from './channel-posts.js'
import { handleTerms } from './channels.js'
import { removeDevice } from './device-list.js'
import { handleGroups } from './groups.js'
import { IqError } from './iq-error.js'
import { handleMedia } from './media.js'
import { handleMex } from './mex.js'
import type { Session } from './model.js'
import type { Network } from './network.js'
import { handleEncrypt } from './pre-keys.js'
import { handleBlocklist, handleDisappearingMode, handlePicture, handlePrivacy, handleStatus } from './settings.js'
import { handleUsync } from './usync.js'

type Handler = (network: Network, session: Session, iq: Node) => Node[]

const handlers: Record<string, Handler> = {
  encrypt: handleEncrypt,
  usync: handleUsync,
  privacy: handlePrivacy,
  blocklist: handleBlocklist,
  status: handleStatus,
  disappearing_mode: handleDisappearingMode,
  'w:profile:picture': handlePicture,
  'w:sync:app:state': handleAppState,
  'w:g2': handleGroups,
  'w:m': handleMedia,
  'w:mex': handleMex,
  'w:p': () => [],
  'w:stats': () => [],
  'urn:xmpp:ping': () => [],
  'urn:xmpp:whatsapp:dirty': () => [],
  passive: () => [],
  abt: () => [node('props', { protocol: '1', refresh: '86400' })],
  'w:biz': handleBusiness,
  'w:biz:catalog': handleCatalog,
  'fb:thrift_iq': handleOrder,
  newsletter: handleNewsletter,
  tos: handleTerms,
  md: handleCompanion,
}

export function handleRequest(network: Network, session: Session, iq: Node): void {
  const { id, type, xmlns, to } = iq.attrs
  if (type !== 'get' && type !== 'set' && xmlns !== 'w:stats') return
  const from = to ?? '@s.whatsapp.net'
  try {
    const handler = handlers[xmlns ?? '']
    if (!handler) throw new IqError(501, 'feature-not-implemented')
    const content = handler(network, session, iq)
    session.send(node('iq', { from, type: 'result', id }, content))
  } catch (error) {
    const { code, text } = error instanceof IqError ? error : new IqError(500, 'internal-server-error')
    session.send(node('iq', { from, type: 'error', id }, [node('error', { code: String(code), text })]))
  }
  if (xmlns === 'passive' && child(iq, 'active')) network.activate(session)
}

/** `remove-companion-device`: a companion logs itself out. */
function handleCompanion(network: Network, session: Session, iq: Node): Node[] {
  const removal = child(iq, 'remove-companion-device')
  const device = network.directory.device(removal?.attrs.jid)
  if (!removal || !device || device.account !== session.device.account || device.id === 0)
    throw new IqError(400, 'bad-request')
  // The answer first, then the end of the stream.
  setImmediate(() => removeDevice(network, device))
  return []
}
