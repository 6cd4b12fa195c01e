import type {
  LIDMapping,
  SignalAuthState,
  SignalKeyStoreWithTransaction,
  SignalRepositoryWithLIDStore,
} from '@whiskeysockets/baileys'
import { makeLibSignalRepository } from '@whiskeysockets/baileys/lib/Signal/libsignal.js'
import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js'
import type { SignalKeys } from './signal-keys.js'
import type { InTurn, Meaning } from './signal-mutex.js'

/** Kinds that bypass transactions: each ratchet step must see the one before, whatever transaction either runs in. */
const DIRECT_KINDS = new Set<string>(['session', 'sender-key', 'identity-key'])

/** Sender key of a group, as its owner distributes it to a device. */
export type SenderKeyDistribution = Parameters<SignalRepositoryWithLIDStore['processSenderKeyDistributionMessage']>[0]

export interface RepositoryOptions {
  readonly keys: SignalKeys
  readonly inSlot: InTurn
  /** Returns the sender key in a decrypted message for one device; null if it has none. Never throws. */
  readonly senderKeyIn: (ciphertext: Uint8Array, plaintext: Uint8Array) => SenderKeyDistribution | null
  /** Called before the decryption of a group message. No operation of the account waits with it. Never rejects. */
  readonly beforeGroupMessage: (ciphertext: Uint8Array) => Promise<void>
  /**
   * Returns the meaning of a plaintext: a function that is called inside of the write, so that keys and message are one transaction. Until then
   * every other operation of the account waits. Never rejects.
   */
  readonly onDecrypted: (ciphertext: Uint8Array, plaintext: Uint8Array) => Meaning | Promise<Meaning>
  /**
   * Returns the stored padded plaintext of a ciphertext that does not decrypt, or null. It may have been decrypted before a crash: the network
   * sends it again if it got no receipt.
   */
  readonly recall: (ciphertext: Uint8Array, type: string, failure: unknown) => Promise<Uint8Array | null>
  /** Returns the padded plaintext for the library. */
  readonly handOn: (ciphertext: Uint8Array, plaintext: Uint8Array) => Uint8Array
}

/**
 * Adds three properties to Baileys' Signal repository (`Utils/auth-utils.ts`, `Socket/messages-*.ts` of 7.0.0-rc14):
 * - A ratchet step is in the journal before the plaintext or ciphertext is returned, and a received message is in the same write. So is a
 *   received sender key: the library stores it later, so a crash in between would lose it, because the step cannot be repeated.
 * - Operations of one account run one after the other, on the newest record, whatever their transaction label. In Baileys two labels on one
 *   store overwrite each other (Baileys issue 2811).
 * - If a message was decrypted before a crash, the store returns its plaintext, where decryption would fail.
 */
export function wrapSignalRepository(
  auth: SignalAuthState,
  logger: ILogger,
  pnToLid: ((jids: string[]) => Promise<LIDMapping[] | undefined>) | undefined,
  { keys, inSlot, senderKeyIn, beforeGroupMessage, onDecrypted, recall, handOn }: RepositoryOptions,
): SignalRepositoryWithLIDStore {
  // The library passes the transactional store under the plain type.
  const transactional = auth.keys as SignalKeyStoreWithTransaction
  const direct: SignalKeyStoreWithTransaction = {
    ...transactional,
    get: (kind, ids) => (DIRECT_KINDS.has(kind) ? keys.get(kind, ids) : transactional.get(kind, ids)) as never,
    set: async (data) => {
      const now: Record<string, unknown> = {}
      const later: Record<string, unknown> = {}
      for (const [kind, values] of Object.entries(data)) (DIRECT_KINDS.has(kind) ? now : later)[kind] = values
      if (Object.keys(now).length > 0) await keys.set(now)
      if (Object.keys(later).length > 0) await transactional.set(later)
    },
    // Operations run in turn, see below. Transactions remain for mappings, so that many of them are one write.
    transaction: (work, label) => (label === 'lid-mapping' ? transactional.transaction(work, label) : work()),
  }
  const inner = makeLibSignalRepository({ creds: auth.creds, keys: direct }, logger, pnToLid)

  /** The last sender key that was stored with its ratchet step, and that the library is about to store again. */
  let stored: SenderKeyDistribution | null = null

  async function decryptWithSenderKey(input: Parameters<typeof inner.decryptMessage>[0]): Promise<Uint8Array> {
    const plaintext = await inner.decryptMessage(input)
    const senderKey = senderKeyIn(input.ciphertext, plaintext)
    if (senderKey === null) return plaintext
    try {
      await inner.processSenderKeyDistributionMessage(senderKey)
      stored = senderKey
    } catch {
      // The library tries it again, and logs the failure.
    }
    return plaintext
  }

  async function storeSenderKey(senderKey: SenderKeyDistribution): Promise<void> {
    const isStored = stored !== null && isSameSenderKey(stored, senderKey)
    stored = null
    // A second copy would push an older key out of the record, which holds five.
    if (!isStored) await inSlot(() => inner.processSenderKeyDistributionMessage(senderKey))
  }

  async function decrypt(ciphertext: Uint8Array, type: string, work: () => Promise<Uint8Array>): Promise<Uint8Array> {
    try {
      const plaintext = await inSlot(work, (decrypted) => onDecrypted(ciphertext, decrypted))
      return handOn(ciphertext, plaintext)
    } catch (error) {
      const known = await recall(ciphertext, type, error)
      if (known === null) throw error
      return known
    }
  }

  return {
    ...inner,
    decryptMessage: (input) => decrypt(input.ciphertext, input.type, () => decryptWithSenderKey(input)),
    decryptGroupMessage: async (input) => {
      await beforeGroupMessage(input.msg)
      return await decrypt(input.msg, 'skmsg', () => inner.decryptGroupMessage(input))
    },
    processSenderKeyDistributionMessage: storeSenderKey,
    encryptMessage: (input) => inSlot(() => inner.encryptMessage(input)),
    encryptGroupMessage: (input) => inSlot(() => inner.encryptGroupMessage(input)),
    getSenderKeyDistributionMessage: (input) => inSlot(() => inner.getSenderKeyDistributionMessage(input)),
    injectE2ESession: (input) => inSlot(() => keys.withoutHaste(() => inner.injectE2ESession(input))),
    migrateSession: (from, to) => inSlot(() => inner.migrateSession(from, to)),
    deleteSession: (jids) => inSlot(() => inner.deleteSession(jids)),
  }
}

function isSameSenderKey(one: SenderKeyDistribution, other: SenderKeyDistribution): boolean {
  const [key, otherKey] = [one, other].map(({ item }) => item.axolotlSenderKeyDistributionMessage ?? new Uint8Array())
  return (
    one.authorJid === other.authorJid &&
    one.item.groupId === other.item.groupId &&
    Buffer.compare(key as Uint8Array, otherKey as Uint8Array) === 0
  )
}
