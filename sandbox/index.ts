/** A simulated WhatsApp network in this process, for tests, the demo and development. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveControl } from './control/server.js'
import { openGate } from './gate.js'
import { LATE_RECEIPTS, PROMPT_RECEIPTS } from './network/late-receipts.js'
import { Network } from './network/network.js'
import { Roster } from './phones/roster.js'
import { makeServerIdentity, rootKeyFrom } from './wire/certificate.js'

export interface SandboxOptions {
  /** 127.0.0.1 unless given. */
  host?: string
  /** Port of the websocket; a free one unless given. */
  port?: number
  /** Port of the control API; a free one unless given. */
  controlPort?: number
  /** Port of the media host (https); a free one unless given. */
  mediaPort?: number
  /** Where the Noise root key is kept, so that it stays the same; a new one for each start unless given. */
  rootKeyFile?: string
  /** `late`: people get messages after seconds, and read them later still, as on the real network. `prompt` unless given: at once, and nobody reads. */
  receipts?: 'prompt' | 'late'
}

export interface Sandbox {
  /** For `waWebSocketUrl`, or `WA_WEBSOCKET_URL` of the gateway. */
  websocketUrl: string
  /** For `WA_CERT_DETAILS.PUBLIC_KEY`, or `WA_NOISE_ROOT_KEY` of the gateway. */
  noiseRootKeyHex: string
  controlUrl: string
  /** For `WA_MEDIA_CA_FILE` of the gateway: who signed the certificate of the media host. */
  mediaCaFile: string
  /** The same objects the control API acts on, for tests in this process. */
  network: Network
  phones: Roster
  close(): Promise<void>
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1'
  const identity = makeServerIdentity(options.rootKeyFile === undefined ? undefined : rootKeyFrom(options.rootKeyFile))
  const network = new Network()
  network.lateReceipts.times = options.receipts === 'late' ? LATE_RECEIPTS : PROMPT_RECEIPTS
  const phones = new Roster(network)
  const gateServer = createServer((request, response) => {
    if (!network.clientVersion.serve(request, response)) response.writeHead(426).end()
  })
  gateServer.on('connection', (socket) => network.log.arrived('websocket', socket.remotePort))
  network.media.onConnection = (socket) => network.log.arrived('media', socket.remotePort)
  const closeGate = openGate(gateServer, network, identity)
  const controlServer = serveControl(network, phones)
  await network.media.listen(host, options.mediaPort ?? 0)
  await listen(gateServer, host, options.port ?? 0)
  await listen(controlServer, host, options.controlPort ?? 0)
  return {
    websocketUrl: `ws://${host}:${readPort(gateServer)}/ws/chat`,
    noiseRootKeyHex: identity.rootPublicKey.toString('hex'),
    controlUrl: `http://${host}:${readPort(controlServer)}`,
    mediaCaFile: network.media.caFile,
    network,
    phones,
    async close() {
      closeGate()
      network.lateReceipts.close()
      phones.close()
      await Promise.all([closeServer(gateServer), closeServer(controlServer), network.media.close()])
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
}

function readPort(server: Server): number {
  return (server.address() as AddressInfo).port
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
