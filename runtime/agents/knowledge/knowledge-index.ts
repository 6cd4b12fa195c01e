/** Reads entries of knowledge that were made or edited, and makes their vectors. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { errorText } from '../../../lib/error-text.js'
import {
  findKnowledgeType,
  KNOWLEDGE_FILE_MAX_BYTES,
  type KnowledgeFileType,
  knowledgeContent,
  knowledgeFileType,
  type VectorSpace,
} from '../../../schemas/agents/knowledge-content.js'
import { ModelError } from '../../../schemas/agents/models.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { KnowledgeFailure, KnowledgeFailureCode } from '../../../schemas/ports/agents.js'
import type { Outgoing } from '../../outgoing/client.js'
import type { DueEntry, KnowledgeWork, ReadEntry, UnreadEntry, VectorWork } from '../../store/agents/knowledge-work.js'
import { estimateChunkTokens } from '../extract/chunks.js'
import { type Extracted, ExtractionRefused, type ExtractSource } from '../extract/extracted.js'
import type { Extractor } from '../extract/extractor.js'
import { splitWords } from '../extract/words.js'
import { type EmbeddingModel, type Embeddings, NoEmbeddings } from './provider-embeddings.js'

export interface KnowledgeIndexOptions {
  readonly work: KnowledgeWork
  readonly extractor: Extractor
  readonly embeddings: Pick<Embeddings, 'find' | 'isPossible'>
  readonly outgoing: Pick<Outgoing, 'get'>
  readonly logger: Logger
}

export interface KnowledgeIndex {
  /** Does all that is due, and ends. Safe to repeat, and to run twice at once. */
  run(signal: AbortSignal): Promise<void>
}

/** Entries that are worked on at once, each of another instance. */
const AT_ONCE = 6
/** Chunks of one request to a provider. */
const VECTORS_AT_ONCE = 64
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Times to the next attempts after failures that may pass. After the last the entry waits for an edit. */
const RETRIES_MS = [1, 5, 15, 60, 60, 60, 60, 60].map((minutes) => minutes * MINUTE_MS)

const BROKEN_OFF = {
  reason: 'Reading it broke off too often. Edit the entry to have it read again.',
  code: 'interrupted',
} as const

export function createKnowledgeIndex(options: KnowledgeIndexOptions): KnowledgeIndex {
  return { run: (signal) => new IndexRun(options, signal).run() }
}

class IndexRun {
  readonly #options: KnowledgeIndexOptions
  readonly #signal: AbortSignal
  /** Work under way, by instance. */
  readonly #running = new Map<string, Promise<void>>()
  #errors: unknown[] = []

  constructor(options: KnowledgeIndexOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
  }

  /** Takes the instances in turn, so that one with many entries does not hold up the others. @throws the first error of the store */
  async run(): Promise<void> {
    let after = ''
    try {
      while (!this.#signal.aborted && this.#errors.length === 0) {
        // An instance whose entry is done by the time of the answer may have another one.
        const busy = [...this.#running.keys()]
        const due = await this.#options.work.due(after, busy, AT_ONCE - busy.length)
        for (const entry of due) this.#start(entry)
        const isRoundOver = due.length === 0 && after === ''
        if (isRoundOver && busy.length === 0) return
        after = due.at(-1)?.instance ?? ''
        if (this.#running.size > 0 && (isRoundOver || this.#running.size >= AT_ONCE)) await this.#next()
      }
    } finally {
      await Promise.all(this.#running.values())
    }
    if (this.#errors.length > 0) throw this.#errors[0]
  }

  #start(entry: DueEntry): void {
    const work = this.#process(entry)
      .catch((error: unknown) => void this.#errors.push(error))
      .finally(() => this.#running.delete(entry.instance))
    this.#running.set(entry.instance, work)
  }

  async #next(): Promise<void> {
    const { signal, abort } = abortable()
    // Entries of other instances may come meanwhile. Work under way ends when the run is aborted.
    const later = pause(1_000, undefined, { signal }).catch(() => {})
    await Promise.race([...this.#running.values(), later]).finally(abort)
  }

  async #process(entry: DueEntry): Promise<void> {
    const { work } = this.#options
    const unread = await work.beginRead(entry)
    if (unread !== null) await this.#read(unread)
    if (this.#signal.aborted) return
    const vectors = await work.beginVectors(entry)
    if (vectors !== null) await this.#vectorize(entry, vectors)
  }

  async #read(entry: UnreadEntry): Promise<void> {
    const { work, embeddings } = this.#options
    // A file that ends the node each time must not do so for ever.
    if (entry.attempts > RETRIES_MS.length) return await work.failRead(entry, BROKEN_OFF, null)
    try {
      const { extracted, isFile } = await this.#extract(entry)
      const isForVectors = await embeddings.isPossible(entry.instance)
      const stored = await work.storeRead(entry, toStore(entry, extracted, { isFile, isForVectors }))
      if (typeof stored === 'object') await work.failRead(entry, { reason: stored.refused, code: 'too_much' }, null)
    } catch (error) {
      if (this.#signal.aborted) return
      const failure = readFailure(error) ?? this.#unexpected(entry, error)
      const retryMs = failure.mayPass ? (RETRIES_MS[entry.attempts] ?? null) : null
      await work.failRead(entry, failure, retryMs)
    }
  }

  async #extract(entry: UnreadEntry): Promise<{ extracted: Extracted; isFile: boolean }> {
    const { extractor, outgoing } = this.#options
    const { instance, source, fileType } = entry
    const read = (from: Parameters<Extractor['read']>[1]) => extractor.read(instance, from, this.#signal)
    if (source !== null)
      return { extracted: await read({ type: fileType === '' ? 'txt' : fileType, bytes: source }), isFile: true }
    const content = knowledgeContent(entry.content, fileType)
    if (content.kind === 'url') {
      const page = await fetchSource(outgoing, instance, content.url, fileType)
      return { extracted: await read(page), isFile: false }
    }
    const bytes = content.kind === 'file' ? content.bytes : Buffer.from(content.text)
    return { extracted: await read({ type: content.type, bytes }), isFile: content.kind === 'file' }
  }

  async #vectorize(entry: DueEntry, vectors: VectorWork): Promise<void> {
    const { work, embeddings } = this.#options
    let model: EmbeddingModel | null = null
    try {
      const found = await embeddings.find(entry.instance, this.#signal)
      if ('none' in found) return await work.finishVectors(entry, vectors, null, found.none)
      model = found
      await this.#makeVectors(entry, vectors, model)
    } catch (error) {
      if (this.#signal.aborted) return
      // The next server, or none.
      if (error instanceof NoEmbeddings) return await this.#vectorize(entry, vectors)
      const failure = vectorFailure(error) ?? this.#unexpected(entry, error)
      const retryMs = failure.mayPass ? chooseRetryMs(failure, vectors.attempts) : null
      await work.failVectors(entry, vectors, model, { ...failure, retryMs })
    }
  }

  /** Stores each batch when it has come, so that a crash costs one request. */
  async #makeVectors(entry: DueEntry, vectors: VectorWork, model: EmbeddingModel): Promise<void> {
    const { work } = this.#options
    for (;;) {
      this.#signal.throwIfAborted()
      const chunks = await work.withoutVector(entry, vectors, model, VECTORS_AT_ONCE)
      if (chunks.length === 0) break
      const texts = chunks.map(({ text }) => `${vectors.tittle}\n\n${text}`)
      const made = await model.embed('document', texts, this.#signal)
      await work.storeVectors(entry, vectors, model, byPosition(chunks, made, model))
    }
    await work.finishVectors(entry, vectors, model)
  }

  /** Lets one entry fail alone. If the store is away, recording that fails too, and ends the run. */
  #unexpected({ instance, id }: DueEntry, error: unknown): Failure {
    this.#options.logger.warn(
      { instanceId: instance, entry: id, err: error },
      'An entry of knowledge could not be read.',
    )
    return { reason: 'It could not be read; tried again later.', code: 'internal', mayPass: true }
  }
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

function toStore(
  { tittle }: UnreadEntry,
  { text, chunks, language }: Extracted,
  { isFile, isForVectors }: { readonly isFile: boolean; readonly isForVectors: boolean },
): ReadEntry {
  const ofTitle = splitWords(tittle).join(' ')
  return {
    language,
    chunks: chunks.map((chunk) => ({
      ...chunk,
      words: `${ofTitle} ${chunk.words}`.trim(),
      tokens: estimateChunkTokens(chunk.text),
    })),
    text: isFile ? text : null,
    isForVectors,
  }
}

function byPosition(
  chunks: readonly { readonly position: number }[],
  vectors: readonly Float32Array[],
  { dimensions }: VectorSpace,
): ReadonlyMap<number, Float32Array> {
  if (vectors.length !== chunks.length || vectors.some((vector) => vector.length !== dimensions))
    throw new ModelError('refused', 'The provider answered with other vectors than it was asked for.')
  return new Map(chunks.map(({ position }, index) => [position, vectors[index] as Float32Array]))
}

/** After a time that the refusal named the next attempt is made however many there were. */
function chooseRetryMs({ retryMs }: Failure, attempts: number): number | null {
  const usualMs = RETRIES_MS[attempts] ?? null
  return retryMs === undefined ? usualMs : Math.ceil(Math.max(retryMs, usualMs ?? HOUR_MS))
}

interface Failure extends KnowledgeFailure {
  /** Another attempt may succeed. */
  readonly mayPass: boolean
  /** Time after which the refusal ends. */
  readonly retryMs?: number
}

function vectorFailure(error: unknown): Failure | null {
  if (!(error instanceof ModelError)) return null
  const { retryAfterMs } = error
  const retry = error.kind === 'quota' && retryAfterMs !== null ? { retryMs: retryAfterMs } : {}
  return {
    ...retry,
    reason: `No vectors: ${error.message}`,
    code: toFailureCode(error),
    mayPass: error.kind === 'temporary' || error.kind === 'quota',
  }
}

const CODES = {
  temporary: 'provider_away',
  refused: 'provider_refused',
  too_long: 'provider_refused',
  blocked: 'provider_refused',
  key: 'provider_key',
  quota: 'provider_quota',
  address: 'provider_address',
} as const

function toFailureCode({ kind, status }: ModelError): KnowledgeFailureCode {
  // No provider was asked.
  return kind === 'quota' && status === null ? 'budget' : CODES[kind]
}

/** Returns null for an error of ours, or of the store. */
function readFailure(error: unknown): Failure | null {
  if (error instanceof ExtractionRefused) return { reason: error.message, code: 'unreadable', mayPass: false }
  if (!(error instanceof GatewayError)) return null
  if (error.code === 'FETCH_FAILED')
    return { reason: `The URL could not be fetched: ${findReason(error)}`, code: 'url', mayPass: true }
  if (error.code === 'URL_NOT_ALLOWED') return { reason: errorText(error), code: 'url_not_allowed', mayPass: false }
  if (error.code === 'INVALID_REQUEST')
    return { reason: `The content ${findReason(error)}.`, code: 'content', mayPass: false }
  return null
}

function findReason(error: GatewayError): string {
  const { details } = error as { readonly details?: readonly { readonly why: string }[] }
  return details?.[0]?.why ?? error.message
}

const TIMEOUT_MS = 20_000

/** Fetches a page or file through the address guard. @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED, INVALID_REQUEST (its type) */
async function fetchSource(
  outgoing: Pick<Outgoing, 'get'>,
  instance: InstanceId,
  url: string,
  fileType: KnowledgeFileType | '',
): Promise<ExtractSource> {
  const { body, contentType } = await outgoing.get(url, {
    accept: 'text/html, application/pdf, text/csv, text/plain;q=0.9, */*;q=0.5',
    sizeMaxBytes: KNOWLEDGE_FILE_MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    owner: instance,
  })
  // Bound: 16,384, a header.
  const charset = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? ''
  // A server may name any type: the bytes decide whether it is a PDF.
  const isPdf = body.subarray(0, 1_024).includes('%PDF-')
  const named = findKnowledgeType(contentType)
  const type = knowledgeFileType(body, fileType || (isPdf || named === 'pdf' ? '' : named))
  return { type, bytes: body, charset }
}
