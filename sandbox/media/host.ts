/** The media host of the network: takes encrypted files over https, and gives them to whoever knows their path. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Faults } from '../faults.js'
import { newAuthority } from './authority.js'

/** A file as it lies on the host, encrypted. */
export interface StoredFile {
  /** The path, with its query, under which it is fetched: the `directPath` of a message. */
  directPath: string
  /** `image`, `video`, `document`, `audio`, …: the last part of the path that it was sent to. */
  kind: string
  sizeBytes: number
  /** Of the encrypted bytes, base64. */
  sha256: string
  /** No longer given: 410. Phones still have it, and can put it there again. */
  expired: boolean
  fetched: number
  atMs: number
}

interface Kept extends StoredFile {
  file: string
}

/** Token that an upload needs; the answer to `media_conn` has it. */
export interface MediaConnection {
  hostname: string
  auth: string
  ttlSeconds: number
}

const TTL_SECONDS = 300
const FILE_MAX_BYTES = 256 * 1024 * 1024

export class MediaHost {
  readonly #files = new Map<string, Kept>()
  /** Handles of uploads for channels. */
  readonly #handles = new Set<string>()
  #folder = ''
  readonly #auth = randomBytes(24).toString('base64url')
  #server: Server | undefined
  #hostname = ''
  /** Called for each connection. */
  onConnection: (socket: Socket) => void = () => {}

  constructor(readonly faults: Faults) {}

  /** For `WA_MEDIA_CA_FILE` of the gateway: who signed the certificate of this host. */
  get caFile(): string {
    return path.join(this.#folder, 'ca.pem')
  }

  get connection(): MediaConnection {
    return { hostname: this.#hostname, auth: this.#auth, ttlSeconds: TTL_SECONDS }
  }

  async listen(host: string, port: number): Promise<void> {
    this.#folder = mkdtempSync(path.join(tmpdir(), 'sandbox-media-'))
    const authority = newAuthority()
    writeFileSync(this.caFile, authority.ca)
    const server = createServer(authority.issue(host), (request, response) => void this.#answer(request, response))
    // A client with a connection in hand must not find it closed under it.
    server.keepAliveTimeout = 120_000
    server.on('connection', (socket: Socket) => this.onConnection(socket))
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => resolve())
    })
    this.#hostname = `${host}:${(server.address() as AddressInfo).port}`
  }

  /** Takes an encrypted file from a phone, as an upload would. */
  put(kind: string, bytes: Buffer): StoredFile {
    const file = this.#newFile()
    writeFileSync(file, bytes)
    return this.#keep(kind, file, bytes.length, createHash('sha256').update(bytes).digest('base64'))
  }

  /** Returns whether an upload for a channel was answered with this handle. */
  isHandle(handle: string): boolean {
    return this.#handles.has(handle)
  }

  /** The encrypted bytes, expired or not; undefined when there never was such a file. */
  read(directPath: string | null | undefined): Buffer | undefined {
    const kept = this.#files.get(directPath ?? '')
    return kept && readFileSync(kept.file)
  }

  url(directPath: string): string {
    return `https://${this.#hostname}${directPath}`
  }

  list(): StoredFile[] {
    return [...this.#files.values()].map(({ file: _, ...stored }) => stored)
  }

  /** Refuses the file, or all files when none is named. */
  expire(directPath?: string): number {
    const found = [...this.#files.values()].filter((kept) => directPath === undefined || kept.directPath === directPath)
    for (const kept of found) kept.expired = true
    return found.length
  }

  /** The same file under a new path, as a phone puts it there again when it is asked to. */
  renew(directPath: string): StoredFile | undefined {
    const kept = this.#files.get(directPath)
    return kept && this.#keep(kept.kind, kept.file, kept.sizeBytes, kept.sha256)
  }

  async close(): Promise<void> {
    const server = this.#server
    if (server !== undefined) {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    }
    if (this.#folder !== '') rmSync(this.#folder, { recursive: true, force: true })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'https://media')
      if (request.method === 'POST') await this.#take(request, response, url)
      else if (request.method === 'GET')
        await this.#give(response, `${url.pathname}${url.search.replace(/&(image|preview)$/, '')}`)
      else response.writeHead(405).end()
    } catch {
      response.destroy()
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const [, service, part = '', name = ''] = url.pathname.split('/')
    const isForChannel = service === 'newsletter' && part.startsWith('newsletter-')
    const kind = isForChannel ? part.slice('newsletter-'.length) : part
    const fault = this.faults.media('media-upload')
    if (fault?.delayMs) await pause(fault.delayMs)
    if (fault) return this.#refuse(request, response, fault.code ?? 500)
    if (url.searchParams.get('auth') !== this.#auth) return this.#refuse(request, response, 401)
    if (
      (service !== 'mms' && service !== 'product' && !isForChannel) ||
      kind === '' ||
      Number(request.headers['content-length']) > FILE_MAX_BYTES
    )
      return this.#refuse(request, response, 400)
    const file = this.#newFile()
    const hash = createHash('sha256')
    let sizeBytes = 0
    await pipeline(
      request,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          sizeBytes += chunk.length
          yield chunk
        }
      },
      createWriteStream(file),
    )
    const digest = hash.digest()
    // The name of the upload is the hash of its bytes: what came damaged is not taken.
    if (digest.toString('base64url') !== decodeURIComponent(name))
      return json(response, 400, { error: 'hash mismatch' })
    const { directPath } = this.#keep(kind, file, sizeBytes, digest.toString('base64'))
    const handle = isForChannel ? randomBytes(12).toString('base64url') : ''
    if (isForChannel) this.#handles.add(handle)
    json(response, 200, { url: this.url(directPath), direct_path: directPath, handle })
  }

  #refuse(request: IncomingMessage, response: ServerResponse, code: number): void {
    request.resume()
    json(response, code, { error: `refused with ${code}` })
  }

  async #give(response: ServerResponse, directPath: string): Promise<void> {
    const kept = this.#files.get(directPath)
    const fault = this.faults.media('media-download')
    if (fault?.delayMs) await pause(fault.delayMs)
    if (fault?.code !== undefined) {
      response.writeHead(fault.code).end()
      return
    }
    if (kept === undefined || kept.expired) {
      response.writeHead(kept === undefined ? 404 : 410).end()
      return
    }
    kept.fetched++
    response.writeHead(200, { 'content-length': kept.sizeBytes, 'content-type': 'application/octet-stream' })
    if (!this.faults.media('media-damage')) {
      await pipeline(createReadStream(kept.file), response)
      return
    }
    const bytes = readFileSync(kept.file)
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    response.end(bytes)
  }

  #newFile(): string {
    return path.join(this.#folder, randomBytes(12).toString('hex'))
  }

  #keep(kind: string, file: string, sizeBytes: number, sha256: string): StoredFile {
    const directPath = `/v/t62.7118-24/${randomBytes(16).toString('hex')}.enc?ccb=11-4&oh=${randomBytes(8).toString('hex')}`
    const kept: Kept = { directPath, kind, sizeBytes, sha256, expired: false, fetched: 0, atMs: Date.now(), file }
    this.#files.set(directPath, kept)
    return kept
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
