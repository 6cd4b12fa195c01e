import { readFileSync } from 'node:fs'
import { WA_CERT_DETAILS } from '@whiskeysockets/baileys'
import { silenceConsole } from '../../actors/network/baileys/library-logger.js'
import { createMediaHosts, guardLibraryFetch, type MediaHosts } from '../../actors/network/baileys/media/hosts.js'
import type { Config } from '../config.js'

const REAL_NETWORK = 'wss://web.whatsapp.com/ws/chat'

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

/** Returns WA_WEBSOCKET_URL when it names another network than the real one. */
export function otherNetworkUrl({ websocketUrl }: Config['network']): string | undefined {
  return websocketUrl === REAL_NETWORK ? undefined : websocketUrl
}

/** Returns the certificate authority of that network, as PEM. */
export function certificateAuthority({ mediaCaFile }: Config['network']): string | undefined {
  return mediaCaFile === undefined ? undefined : readFileSync(mediaCaFile, 'utf8')
}
