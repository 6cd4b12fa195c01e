import { GroupCipher, type SenderKeyState } from '@whiskeysockets/baileys/lib/Signal/Group/index.js'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../../lib/entries-max.js'
import type { Network } from '../port/connection.js'
import { createNodeCaches } from './caches.js'
import { BaileysConnection } from './connection.js'
import { keepSaltActions } from './contact-token.js'
import { decodeCredentials, isPaired } from './credentials.js'
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

interface Cipher {
  getSenderKey(state: SenderKeyState, iteration: number): unknown
}

let isMended = false

/**
 * Corrects the encryption of group messages. Baileys advances our chain by two steps for each message, and keeps the key of the skipped step,
 * which nobody needs (`Signal/Group/group_cipher.js` of 7.0.0-rc14). After a thousand messages each further one reads and writes 2000 such
 * keys as JSON: 25 ms and 300 KB. Here a message is one step, as in every other client, and the piled up keys are dropped.
 */
export function patchGroupEncryption(): void {
  if (isMended) return
  isMended = true
  const prototype = GroupCipher.prototype as unknown as Cipher
  const getSenderKey = prototype.getSenderKey
  prototype.getSenderKey = function (state, iteration) {
    // The signing key is known for our own chain only, and that chain only encrypts.
    const isOwn = (state.getSigningKeyPrivate()?.length ?? 0) > 0
    if (!isOwn) return getSenderKey.call(this, state, iteration)
    state.getStructure().senderMessageKeys.length = 0
    return getSenderKey.call(this, state, state.getSenderChainKey().getIteration())
  }
}
