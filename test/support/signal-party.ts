/** One end of a Signal conversation on keys in memory, as the library has it. */
import {
  addTransactionCapability,
  Curve,
  generateRegistrationId,
  generateSignalPubKey,
  type SignalAuthState,
  type SignalKeyStore,
  type SignalRepositoryWithLIDStore,
  signedKeyPair,
} from '@whiskeysockets/baileys'
import { makeLibSignalRepository } from '@whiskeysockets/baileys/lib/Signal/libsignal.js'
import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js'

export interface SignalParty {
  readonly jid: string
  readonly repository: SignalRepositoryWithLIDStore
  /** Bundle that another party needs to start a session with it; each time with a pre-key of its own, as the network hands them out. */
  bundle(): Parameters<SignalRepositoryWithLIDStore['injectE2ESession']>[0]['session']
}

/** By kind and id. */
export type StoredKeys = Map<string, unknown>

export function keysInMemory(stored: StoredKeys): SignalKeyStore {
  return {
    get: async (kind: string, ids: string[]) =>
      Object.fromEntries(
        ids.flatMap((id) => (stored.get(`${kind}:${id}`) == null ? [] : [[id, stored.get(`${kind}:${id}`)]])),
      ),
    set: async (data: Record<string, Record<string, unknown>>) => {
      for (const [kind, values] of Object.entries(data))
        for (const [id, value] of Object.entries(values)) stored.set(`${kind}:${id}`, value)
    },
  } as unknown as SignalKeyStore
}

/** @param repositoryOf makes another repository than that of the library */
export function signalParty(
  jid: string,
  logger: ILogger,
  stored: StoredKeys = new Map(),
  repositoryOf?: (auth: SignalAuthState) => SignalRepositoryWithLIDStore,
): SignalParty {
  const signedIdentityKey = Curve.generateKeyPair()
  const signedPreKey = signedKeyPair(signedIdentityKey, 1)
  const registrationId = generateRegistrationId()
  const auth = {
    creds: { signedIdentityKey, signedPreKey, registrationId },
    keys: addTransactionCapability(keysInMemory(stored), logger, { maxCommitRetries: 1, delayBetweenTriesMs: 0 }),
  } as SignalAuthState
  const repository = repositoryOf?.(auth) ?? makeLibSignalRepository(auth, logger, async () => [])
  let preKeys = 0
  const bundle: SignalParty['bundle'] = () => {
    const keyId = ++preKeys
    const preKey = Curve.generateKeyPair()
    stored.set(`pre-key:${keyId}`, preKey)
    return {
      registrationId,
      identityKey: generateSignalPubKey(signedIdentityKey.public),
      signedPreKey: {
        keyId: 1,
        publicKey: generateSignalPubKey(signedPreKey.keyPair.public),
        signature: signedPreKey.signature,
      },
      preKey: { keyId, publicKey: generateSignalPubKey(preKey.public) },
    }
  }
  return { jid, repository, bundle }
}
