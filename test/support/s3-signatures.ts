/** Verifies requests to an S3-compatible service as Amazon does, with a library (aws4) that has nothing in common with the one that signs. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
// @ts-expect-error It has no types.
import aws4 from 'aws4'

export interface KeyPair {
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
}

/** Further off than that a request is an old one. */
const CLOCK_SKEW_MAX_MS = 15 * 60_000

/** Stands before the service on `behindPort`, and lets through what is signed under the pair, with the body that was signed. */
export function verifyingServer(pair: KeyPair, behindPort: number): Server {
  return createServer((incoming, response) => {
    const answer = async (): Promise<void> => {
      const body = await buffer(incoming)
      const mistake = mistakeIn(incoming, body, pair)
      if (mistake !== null) {
        const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${mistake}</Code><Message>No.</Message></Error>`
        response.writeHead(403, { 'content-type': 'application/xml' }).end(xml)
        return
      }
      const { method, url, headers } = incoming
      const passed = request({ host: '127.0.0.1', port: behindPort, method, path: url, headers, agent: false })
      const given = new Promise<IncomingMessage>((resolve, reject) =>
        passed.on('response', resolve).on('error', reject),
      )
      passed.end(body)
      const answered = await given
      response.writeHead(answered.statusCode ?? 502, answered.headers)
      await pipeline(answered, response)
    }
    answer().catch(() => response.destroy())
  })
}

/** The code of an error of S3; null when all is right. */
function mistakeIn({ method, url, headers }: IncomingMessage, body: Buffer, pair: KeyPair): string | null {
  const { authorization = '', 'x-amz-date': date, 'x-amz-content-sha256': contentHash } = headers
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, accessKey, day, region, names = '', signature = ''] = found.exec(authorization) ?? []
  if (accessKey === undefined) return 'AccessDenied'
  if (accessKey !== pair.accessKey) return 'InvalidAccessKeyId'
  if (region !== pair.region) return 'AuthorizationHeaderMalformed'
  if (typeof date !== 'string' || !date.startsWith(String(day)) || isOld(date)) return 'RequestTimeTooSkewed'
  const signed = names.split(';')
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.includes(name))) return 'AccessDenied'
  if (!matches(signature, computeSignature(method, url, headers, signed, pair))) return 'SignatureDoesNotMatch'
  // A streamed request may leave its body unsigned.
  const isBody = contentHash === 'UNSIGNED-PAYLOAD' || contentHash === createHash('sha256').update(body).digest('hex')
  return isBody ? null : 'XAmzContentSHA256Mismatch'
}

function computeSignature(
  method: string | undefined,
  path: string | undefined,
  headers: IncomingHttpHeaders,
  signed: readonly string[],
  { accessKey: accessKeyId, secretKey: secretAccessKey, region }: KeyPair,
): string {
  const chosen = Object.fromEntries(signed.map((name) => [name, headers[name]]))
  const extraHeadersToInclude = Object.fromEntries(signed.map((name) => [name, true]))
  const asked = { service: 's3', region, method, path, headers: chosen, extraHeadersToInclude }
  const { headers: made } = aws4.sign(asked, { accessKeyId, secretAccessKey }) as { headers: { Authorization: string } }
  return made.Authorization.slice(made.Authorization.lastIndexOf('=') + 1)
}

function isOld(date: string): boolean {
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  return !(Math.abs(Date.parse(iso) - Date.now()) <= CLOCK_SKEW_MAX_MS)
}

function matches(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
