import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../../schemas/entries-max.js'
import type { Network } from '../port/connection.js'
import { createNodeCaches } from './caches.js'
import { BaileysConnection } from './connection.js'
import { keepSaltActions } from './contact-token.js'
import { decodeCredentials, isPaired } from './credentials.js'
import { patchGroupEncryption } from './group-encryption.js'
import type { BaileysNetworkOptions, NodeParts } from './options.js'
import { NodeRecordings } from './recording/recordings.js'
import { patchSessionDecryption } from './session-decryption.js'
import { createKeyCache } from './signal-keys.js'
import { createWatchdog } from './watchdog.js'
import { useNativeX25519 } from './x25519.js'
import { useNativeXeddsa } from './xeddsa.js'

/** Maximum number of cached groups, of all instances together. A group of a thousand members takes about 150 KiB, most take a few. */
const GROUPS_CACHED_MAX = 5_000
const ENTRIES_CACHED_MAX = 20_000

export function createBaileysNetwork(options: BaileysNetworkOptions): Network {
  patchSessionDecryption()
  patchGroupEncryption()
  keepSaltActions()
  useNativeXeddsa()
  useNativeX25519()
  const node = createNodeParts(options)
  return {
    isPaired: (credentials) => isPaired(decodeCredentials(credentials)),
    open: (open) => new BaileysConnection(options, open, node),
    recordings: node.recordings,
  }
}

function createNodeParts(options: BaileysNetworkOptions): NodeParts {
  const { keysCachedMax, silenceMaxMs, answerMaxMs, nodeId, logger } = options
  const resets = new LRUCache<string, true>(entriesMax(ENTRIES_CACHED_MAX))
  return {
    keyCache: createKeyCache(keysCachedMax),
    recordings: new NodeRecordings({
      folder: options.recordingsDir,
      filesMax: options.recordingsMax,
      nodeId,
      logger,
    }),
    caches: createNodeCaches(ENTRIES_CACHED_MAX),
    groups: new LRUCache(entriesMax(GROUPS_CACHED_MAX)),
    emitted: new LRUCache(entriesMax(ENTRIES_CACHED_MAX)),
    watchdog: createWatchdog({
      silenceMaxMs,
      answerMaxMs,
      isFirst(messageId) {
        const isFirst = !resets.has(messageId)
        resets.set(messageId, true)
        return isFirst
      },
    }),
  }
}
