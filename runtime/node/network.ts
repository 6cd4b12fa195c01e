import { readFileSync } from 'node:fs'
import { WA_CERT_DETAILS } from '@whiskeysockets/baileys'
import { connectorFor } from '../../actors/network/baileys/connector.js'
import { silenceConsole } from '../../actors/network/baileys/library-logger.js'
import { createMediaHosts, guardLibraryFetch, type MediaHosts } from '../../actors/network/baileys/media/hosts.js'
import { createRoutes, type Routes } from '../../actors/network/route/routes.js'
import type { Config } from '../config.js'
import type { Outgoing } from '../outgoing/client.js'

const REAL_NETWORK = 'wss://web.whatsapp.com/ws/chat'
const REAL_MEDIA_HOST = 'mmg.whatsapp.net'

/** Prepares the network library, which is one for the whole process: its console, its requests for files and its trusted key. */
export function prepareNetworkLibrary({ network }: Config): MediaHosts {
  silenceConsole(() => {})
  const url = otherNetworkUrl(network)
  const mediaHosts = createMediaHosts({
    mediaHost: network.mediaHost ?? null,
    networkHost: url === undefined ? null : new URL(url).hostname,
    certificateAuthority: certificateAuthority(network),
  })
  guardLibraryFetch(mediaHosts)
  if (network.noiseRootKey !== undefined) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(network.noiseRootKey, 'hex')
  return mediaHosts
}

/** Creates the routes of the node's instances to the network. */
export function createNetworkRoutes(
  { network }: Config,
  { dispatcher }: MediaHosts,
  outgoing: Pick<Outgoing, 'findAddresses' | 'resolve'>,
): Routes {
  const other = otherNetworkUrl(network)
  const mediaHost = network.mediaHost ?? (other === undefined ? REAL_MEDIA_HOST : undefined)
  const authority = certificateAuthority(network)
  // The library connects by itself to a test network without TLS: nothing could hold bytes back there.
  const isPlain = other?.startsWith('ws:') ?? false
  return createRoutes({
    websocketUrl: new URL(other ?? REAL_NETWORK),
    mediaUrl: mediaHost === undefined ? null : new URL(`https://${mediaHost}`),
    certificateAuthority: authority,
    agent: isPlain ? undefined : connectorFor(authority),
    dispatcher,
    resolvers: { proxy: outgoing.findAddresses, target: outgoing.resolve },
  })
}

/** Returns WA_WEBSOCKET_URL when it names another network than the real one. */
export function otherNetworkUrl({ websocketUrl }: Config['network']): string | undefined {
  return websocketUrl === REAL_NETWORK ? undefined : websocketUrl
}

/** Returns the certificate authority of that network, as PEM. */
export function certificateAuthority({ mediaCaFile }: Config['network']): string | undefined {
  return mediaCaFile === undefined ? undefined : readFileSync(mediaCaFile, 'utf8')
}
