/** The network's long-term keys: a root, and the certificate chain that ties the server's Noise key to it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Curve, type KeyPair, proto } from '@whiskeysockets/baileys'

export interface ServerIdentity {
  /** Key that a client must hold in `WA_CERT_DETAILS.PUBLIC_KEY` to trust this server. */
  rootPublicKey: Buffer
  staticKey: KeyPair
  /** An encoded CertChain, sent in the handshake. */
  chain: Uint8Array
}

/** Makes an identity, below `root` if given. */
export function makeServerIdentity(root?: KeyPair): ServerIdentity {
  const rootKey = root ?? Curve.generateKeyPair()
  const intermediateKey = Curve.generateKeyPair()
  const staticKey = Curve.generateKeyPair()
  // The client accepts only an intermediate that names issuer 0 (Baileys, noise-handler: WA_CERT_DETAILS.SERIAL).
  const intermediate = certify(rootKey, intermediateKey, 1, 0)
  const leaf = certify(intermediateKey, staticKey, 2, 1)
  return {
    rootPublicKey: Buffer.from(rootKey.public),
    staticKey,
    chain: proto.CertChain.encode({ intermediate, leaf }).finish(),
  }
}

/** The root key pair of a file (two lines of hex: private, public), which is made when it does not exist. */
export function rootKeyFrom(file: string): KeyPair {
  if (!existsSync(file)) {
    const made = Curve.generateKeyPair()
    const lines = [made.private, made.public].map((key) => Buffer.from(key).toString('hex'))
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  }
  const [privateHex = '', publicHex = ''] = readFileSync(file, 'utf8').split('\n')
  return { private: Buffer.from(privateHex, 'hex'), public: Buffer.from(publicHex, 'hex') }
}

function certify(issuer: KeyPair, subject: KeyPair, serial: number, issuerSerial: number) {
  const nowInSeconds = Math.floor(Date.now() / 1000)
  const details = proto.CertChain.NoiseCertificate.Details.encode({
    serial,
    issuerSerial,
    key: subject.public,
    notBefore: nowInSeconds - 86_400,
    notAfter: nowInSeconds + 365 * 86_400,
  }).finish()
  return { details, signature: Curve.sign(issuer.private, details) }
}
