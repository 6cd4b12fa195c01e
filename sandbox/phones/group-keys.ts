/** A phone's sender keys: its own one for each group that it writes to, and those of the members that it reads. */
import { createCipheriv } from 'node:crypto'
import {
  GroupCipher,
  GroupSessionBuilder,
  SenderKeyDistributionMessage,
  SenderKeyMessage,
  SenderKeyName,
  SenderKeyRecord,
} from '@whiskeysockets/baileys/lib/Signal/Group/index.js'
import type { Device } from '../network/model.js'

/**
 * Like a real phone's, and unlike Baileys': a key is sent to each device once, not with each message, and the chain takes one step
 * a message. Baileys takes two (Signal/Group/group_cipher.js of rc14), so that after a thousand messages both sides carry, read and
 * write two thousand skipped keys with each further one: 18 ms.
 */
export class GroupKeys {
  readonly #records = new Map<string, SenderKeyRecord>()
  readonly #told = new Map<string, WeakSet<Device>>()
  readonly #store = {
    loadSenderKey: async (name: SenderKeyName) => this.#record(name),
    storeSenderKey: async (name: SenderKeyName, record: SenderKeyRecord) =>
      void this.#records.set(String(name), record),
  }

  /** True once for each device: it needs the key with the message that is about to be sent. */
  mustTell(group: string, device: Device): boolean {
    const told = this.#told.get(group) ?? new WeakSet()
    this.#told.set(group, told)
    if (told.has(device)) return false
    told.add(device)
    return true
  }

  /** Our key, as it is now: who learns it reads what we write from now on. */
  async distribution(own: Device, group: string): Promise<Uint8Array> {
    return (await new GroupSessionBuilder(this.#store).create(readName(own, group))).serialize()
  }

  /** `plaintext` is padded. The key must have been made, with `distribution`. */
  encrypt(own: Device, group: string, plaintext: Uint8Array): Uint8Array {
    const state = this.#record(readName(own, group)).getSenderKeyState()
    if (!state) throw new Error(`There is no sender key for ${group} yet.`)
    const chainKey = state.getSenderChainKey()
    const messageKey = chainKey.getSenderMessageKey()
    const cipher = createCipheriv('aes-256-cbc', messageKey.getCipherKey(), messageKey.getIv())
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
    state.setSenderChainKey(chainKey.getNext())
    const signingKey = state.getSigningKeyPrivate() ?? null
    return new SenderKeyMessage(state.getKeyId(), chainKey.getIteration(), ciphertext, signingKey).serialize()
  }

  decrypt(author: Device, group: string, ciphertext: Uint8Array): Promise<Uint8Array> {
    return new GroupCipher(this.#store, readName(author, group)).decrypt(ciphertext)
  }

  async learn(author: Device, group: string, distribution: Uint8Array): Promise<void> {
    const message = new SenderKeyDistributionMessage(null, null, null, null, distribution)
    await new GroupSessionBuilder(this.#store).process(readName(author, group), message)
  }

  #record(name: SenderKeyName): SenderKeyRecord {
    const known = this.#records.get(String(name))
    if (known) return known
    const made = new SenderKeyRecord()
    this.#records.set(String(name), made)
    return made
  }
}

function readName(author: Device, group: string): SenderKeyName {
  const { lidUser } = author.account
  return new SenderKeyName(group, { id: lidUser, deviceId: author.id, toString: () => `${lidUser}.${author.id}` })
}
