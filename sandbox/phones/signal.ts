/** A phone's Signal identity and sessions. Peers are always addressed by LID, whatever address a stanza used. */
import {
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  extractE2ESessionFromRetryReceipt,
  generateRegistrationId,
  generateSignalPubKey,
  type KeyPair,
  type proto,
  type SignedKeyPair,
  signedKeyPair,
  unpadRandomMax16,
  writeRandomPadMax16,
} from '@whiskeysockets/baileys'
import type { Device, PublicPreKey } from '../network/model.js'
import type { Network } from '../network/network.js'
import { takeOneTimeKey } from '../network/pre-keys.js'
import type { Node } from '../wire/nodes.js'
import { carefulLibsignal } from './careful-libsignal.js'
import { useFastCurve } from './fast-curve.js'
import { GroupKeys } from './group-keys.js'
import { MemoryKeys } from './memory-keys.js'
import { quietLibsignal } from './quiet-libsignal.js'
import { decodeMessage, encodeMessage } from './raw-messages.js'
import { silentLogger } from './silent-logger.js'

quietLibsignal()
carefulLibsignal()
useFastCurve()

export interface Ciphertext {
  type: 'pkmsg' | 'msg'
  ciphertext: Uint8Array
}

export class PhoneSignal {
  readonly identity: KeyPair = Curve.generateKeyPair()
  readonly registrationId = generateRegistrationId()
  readonly signedPreKey: SignedKeyPair = signedKeyPair(this.identity, 1)
  readonly #keys = new MemoryKeys()
  readonly #groups = new GroupKeys()
  readonly #repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    {
      creds: {
        signedIdentityKey: this.identity,
        signedPreKey: this.signedPreKey,
        registrationId: this.registrationId,
      },
      keys: this.#keys,
    },
    silentLogger,
    async () => [],
  )
  #nextPreKeyId = 1

  constructor(private readonly network: Network) {}

  /** Makes a one-time pre-key; its private half waits for the first message that uses it. */
  makePreKey(): PublicPreKey {
    const id = this.#nextPreKeyId++
    const pair = Curve.generateKeyPair()
    this.#keys.set({ 'pre-key': { [String(id)]: pair } })
    return { id, publicKey: Buffer.from(pair.public) }
  }

  async encrypt(device: Device, message: proto.IMessage): Promise<Ciphertext> {
    const jid = device.jid('lid')
    const { exists } = await this.#repository.validateSession(jid)
    if (!exists) await this.startSession(device)
    return this.#repository.encryptMessage({ jid, data: paddedBytes(message) })
  }

  async decrypt(author: Device, type: 'pkmsg' | 'msg', ciphertext: Uint8Array): Promise<proto.Message> {
    const jid = author.jid('lid')
    return decode(await this.#repository.decryptMessage({ jid, type, ciphertext }))
  }

  /** A message for a group, and for those of its devices that do not know it yet, our key. */
  async encryptForGroup(own: Device, group: string, message: proto.IMessage, devices: readonly Device[]) {
    const distribution = await this.createSenderKey(own, group)
    const newcomers = devices.filter((device) => this.#groups.mustTell(group, device))
    return { ciphertext: this.#groups.encrypt(own, group, paddedBytes(message)), distribution, newcomers }
  }

  async createSenderKey(own: Device, group: string): Promise<proto.Message.ISenderKeyDistributionMessage> {
    return { groupId: group, axolotlSenderKeyDistributionMessage: await this.#groups.distribution(own, group) }
  }

  async decryptFromGroup(author: Device, group: string, ciphertext: Uint8Array): Promise<proto.Message> {
    return decode(await this.#groups.decrypt(author, group, ciphertext))
  }

  async learnSenderKey(author: Device, item: proto.Message.ISenderKeyDistributionMessage): Promise<void> {
    const { groupId, axolotlSenderKeyDistributionMessage: key } = item
    if (groupId && key) await this.#groups.learn(author, groupId, key)
  }

  /** A new session with a device: from the keys in its retry receipt if there are any, else from its pre-keys. */
  async startSession(device: Device, retryReceipt?: Node): Promise<void> {
    const fromReceipt = retryReceipt && extractE2ESessionFromRetryReceipt(retryReceipt)
    const session = fromReceipt ? withoutUndefined(fromReceipt) : this.#sessionFromPreKeys(device)
    await this.#repository.injectE2ESession({ jid: device.jid('lid'), session })
  }

  /** Messages in the former sessions cannot be read, as after a restored backup; they are requested again. */
  forgetSessions(): void {
    this.#keys.forget('session')
  }

  close(): void {
    this.#repository.close?.()
  }

  #sessionFromPreKeys(device: Device) {
    const oneTime = takeOneTimeKey(this.network, device)
    const { id, publicKey, signature } = device.signedPreKey
    return {
      registrationId: device.registrationId,
      identityKey: generateSignalPubKey(device.identityKey),
      signedPreKey: { keyId: id, publicKey: generateSignalPubKey(publicKey), signature },
      ...(oneTime && { preKey: { keyId: oneTime.id, publicKey: generateSignalPubKey(oneTime.publicKey) } }),
    }
  }
}

function withoutUndefined<T extends { preKey?: unknown }>({ preKey, ...rest }: T) {
  return preKey === undefined ? rest : { ...rest, preKey }
}

function decode(padded: Uint8Array): proto.Message {
  return decodeMessage(unpadRandomMax16(padded))
}

function paddedBytes(message: proto.IMessage): Buffer {
  return writeRandomPadMax16(encodeMessage(message))
}
