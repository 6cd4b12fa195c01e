/** Certificates for servers on loopback, made with nothing but Node.js: a fresh machine need not have openssl. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface Authority {
  /** PEM. */
  readonly ca: string
  /** For `localhost` and 127.0.0.1, unless another name or address is given. */
  issue(host?: string): { readonly cert: string; readonly key: string }
}

export function newAuthority(name = 'an authority of the sandbox'): Authority {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ca = certificate({
    subject: name,
    issuer: name,
    key: authority.publicKey,
    signer: authority.privateKey,
    isAuthority: true,
  })
  return {
    ca,
    issue(host) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const cert = certificate({
        subject: host ?? 'localhost',
        issuer: name,
        key: publicKey,
        signer: authority.privateKey,
        host,
      })
      return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
    },
  }
}

interface Contents {
  readonly subject: string
  readonly issuer: string
  readonly key: KeyObject
  readonly signer: KeyObject
  readonly isAuthority?: boolean
  readonly host?: string | undefined
}

// ASN.1, as RFC 5280 lays it out.
const SEQUENCE = 0x30
const SET = 0x31
const OCTETS = 0x04
const DAY_MS = 24 * 60 * 60_000
const ecdsaWithSha256 = der(SEQUENCE, oid('1.2.840.10045.4.3.2'))

function certificate({ subject, issuer, key, signer, isAuthority = false, host }: Contents): string {
  const alternatives = (host === undefined ? ['localhost', '127.0.0.1'] : [host]).map((one) =>
    isIP(one) === 4 ? der(0x87, Buffer.from(one.split('.').map(Number))) : der(0x82, Buffer.from(one)),
  )
  const extensions = [
    extension('2.5.29.19', der(SEQUENCE, ...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []))),
    ...(isAuthority ? [] : [extension('2.5.29.17', der(SEQUENCE, ...alternatives))]),
  ]
  const toSign = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name(issuer),
    der(SEQUENCE, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', toSign, signer)])
  const whole = der(SEQUENCE, toSign, ecdsaWithSha256, der(0x03, signature)).toString('base64')
  const lines = whole.match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function extension(id: string, value: Buffer): Buffer {
  return der(SEQUENCE, oid(id), der(OCTETS, value))
}

function name(common: string): Buffer {
  return der(SEQUENCE, der(SET, der(SEQUENCE, oid('2.5.4.3'), der(0x0c, Buffer.from(common)))))
}

function time(ms: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = rest.flatMap((part) => {
    const septets = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80)
    return septets
  })
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]))
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), body])
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), body])
}
