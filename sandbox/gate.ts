/** The websocket door: accepts connections and decides whether each is a registration or a login. */
import type { IncomingMessage, Server } from 'node:http'
import { WebSocketServer } from 'ws'
import { handleLinkCode } from './network/code-pairing.js'
import { dispatch } from './network/dispatch.js'
import { IqError } from './network/iq-error.js'
import { type ClientSession, closeSession, openSession } from './network/login.js'
import type { Network } from './network/network.js'
import { handlePasskey } from './network/passkey.js'
import { closeRegistration, openRegistration, type Registration, receiveSignature } from './network/registration.js'
import type { ServerIdentity } from './wire/certificate.js'
import { Connection, type ConnectionHandlers, type Upgrade } from './wire/connection.js'
import { child, type Node, node } from './wire/nodes.js'

type Owner = { session: ClientSession } | { registration: Registration }

/** Serves the network's websocket on an HTTP server; the result closes every connection at once. */
export function openGate(server: Server, network: Network, identity: ServerIdentity): () => void {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload: 32 * 1024 * 1024 })
  const owners = new Map<Connection, Owner>()
  const connections = new Set<Connection>()
  const handlers: ConnectionHandlers = {
    onOpen(connection, payload, noiseKey) {
      if (payload.username) {
        const session = openSession(network, connection, payload, noiseKey)
        if (session) owners.set(connection, { session })
      } else {
        const registration = openRegistration(network, connection, payload, noiseKey)
        if (registration) owners.set(connection, { registration })
      }
    },
    onNode(connection, stanza, sizeBytes) {
      const owner = owners.get(connection)
      if (!owner) return
      if ('session' in owner) {
        network.log.frame('in', owner.session, stanza, sizeBytes)
        if (owner.session.device.session === owner.session) dispatch(network, owner.session, stanza)
      } else {
        network.log.frame('in', registrationLabel(owner.registration), stanza, sizeBytes)
        handleRegistration(network, owner.registration, stanza)
      }
    },
    onSent(connection, stanza, sizeBytes) {
      const owner = owners.get(connection)
      if (!owner) return
      const source = 'session' in owner ? owner.session : registrationLabel(owner.registration)
      network.log.frame('out', source, stanza, sizeBytes)
    },
    onClose(connection, error) {
      connections.delete(connection)
      const owner = owners.get(connection)
      owners.delete(connection)
      if (!owner) return
      if ('session' in owner) closeSession(network, owner.session, error)
      else closeRegistration(network, owner.registration)
    },
  }
  sockets.on('connection', (socket, request) => {
    connections.add(new Connection(socket, identity, handlers, readUpgrade(request)))
  })
  return () => {
    for (const connection of connections) connection.destroy()
    sockets.close()
  }
}

function readUpgrade({ headers, socket }: IncomingMessage): Upgrade {
  return {
    nodeName: headers['x-posthorn-node']?.toString(),
    epoch: headers['x-posthorn-epoch']?.toString(),
    atMs: Date.now(),
    remotePort: socket.remotePort ?? 0,
  }
}

function registrationLabel({ number }: Registration): string {
  return `registration-${number}`
}

function handleRegistration(network: Network, registration: Registration, stanza: Node): void {
  if (stanza.tag !== 'iq') return
  const { id, type, xmlns, to } = stanza.attrs
  if (type === 'result') {
    receiveSignature(network, registration, stanza)
    return
  }
  const from = to ?? '@s.whatsapp.net'
  const { connection } = registration
  try {
    const linkCode = child(stanza, 'link_code_companion_reg')
    if (xmlns === 'md' && linkCode) {
      const content = handleLinkCode(network, registration, linkCode)
      connection.send(node('iq', { from, type: 'result', id }, content))
      return
    }
    const passkey = xmlns === 'md' ? handlePasskey(registration, stanza) : undefined
    if (passkey) connection.send(node('iq', { from, type: 'result', id }, passkey))
    else if (xmlns === 'w:p') connection.send(node('iq', { from, type: 'result', id }))
    else throw new IqError(501, 'feature-not-implemented')
  } catch (error) {
    const { code, text } = error instanceof IqError ? error : new IqError(500, 'internal-server-error')
    connection.send(node('iq', { from, type: 'error', id }, [node('error', { code: String(code), text })]))
  }
}
