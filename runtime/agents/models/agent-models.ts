/** Calls of language models: limited for each instance, and ended early where a provider is away. */

import { createOwnerSlots } from '../../../lib/owner-slots.js'
import {
  type AgentModels,
  type ModelAddress,
  type ModelCallOptions,
  ModelError,
  type ModelErrorKind,
  type ModelUsage,
} from '../../../schemas/agents/models.js'
import type { Outgoing } from '../../outgoing/client.js'
import type { JsonUse } from '../../outgoing/json/json-use.js'
import type { SharedWork } from '../../work/work.js'
import { estimateTokens } from './answer.js'
import { formatReceiver, ModelBreakers } from './breaker.js'
import { chat } from './chat.js'
import { embed } from './embeddings.js'
import { ERROR_KEPT } from './error-facts.js'
import { findBaseUrl } from './language-models.js'
import { LearnedRefusals } from './learned.js'
import { createSmallPictures } from './pictures.js'
import { takesImages } from './traits.js'
import { ask, broken, type ModelExchange, type ModelRequest, type ModelResponse } from './transport.js'

// Bound: 4,096, a key, name or address.

export interface AgentModelsOptions {
  readonly outgoing: Pick<Outgoing, 'request'>
  /** Calls of one instance under way. Eight times as many wait. */
  readonly perInstanceMax: number
  /** Called with the outcome of each call. A call that its caller aborted has none. */
  readonly onCall?: OnModelCall
  readonly work: Pick<SharedWork, 'run'>
}

export type OnModelCall = (
  kind: 'answer' | 'vectors' | 'transcription' | 'check',
  outcome: 'answered' | ModelErrorKind,
) => void
type CallKind = Parameters<OnModelCall>[0]

type Call = Pick<ModelExchange, 'address' | 'signal' | 'deadlineMs'>

const TIMEOUT_MS = 60_000
const WAITING = 8
const CHECK_TOKENS = 16
const KEY = /^[\x21-\x7e]{0,4096}$/
const MODEL = /^[\x20-\x7e]{1,200}$/
/** Parts of the path of an address. */
const PATH_MODEL = /^[\w.@:+-]+(\/[\w.@:+-]+)*$/

export function createAgentModels({ outgoing, perInstanceMax, onCall, work }: AgentModelsOptions): AgentModels {
  const breakers = new ModelBreakers()
  const learned = new LearnedRefusals()
  const pictures = createSmallPictures(work)
  const places = createOwnerSlots(
    { max: perInstanceMax, waitingMax: perInstanceMax * WAITING },
    () => new ModelError('temporary', 'Too many calls of models of this instance wait.'),
  )
  const post = (exchange: ModelExchange, request: Parameters<typeof ask>[2]) => ask(outgoing, exchange, request)

  return {
    generate: (address, step, options) =>
      counted('answer', () => limited(address, options, (call) => chat(post, learned, call, step, pictures))),
    embed: (address, texts, options) =>
      counted('vectors', () =>
        limited(address, options, (call) => embed(post, call, texts, options), {
          receiver: formatVectorReceiver(address),
        }),
      ),
    transcribe: (address, file, options) =>
      counted('transcription', () => limited(address, options, (call) => transcribe(post, call, file))),
    async check(address, options) {
      const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Answer with OK.' }] }]
      const step = { messages, tools: [], toolChoice: 'none' as const, maxTokens: CHECK_TOKENS }
      await counted('check', () =>
        limited(address, options, (call) => chat(post, learned, call, step, pictures), { isProbe: true }),
      )
    },
    takesImages: (address) => takesImages(address) && !learned.of(address).has('images'),
  }

  async function counted<T>(kind: CallKind, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      onCall?.(kind, 'answered')
      return result
    } catch (error) {
      if (error instanceof ModelError) onCall?.(kind, error.kind)
      throw error
    }
  }

  /** `isProbe`: a person asks, so that an open breaker does not matter. */
  async function limited<T>(
    address: ModelAddress,
    { signal, timeoutMs = TIMEOUT_MS }: ModelCallOptions,
    work: (call: Call) => Promise<T>,
    { isProbe = false, receiver = formatReceiver(address) } = {},
  ): Promise<T> {
    refuseAddress(address)
    const deadlineMs = performance.now() + timeoutMs
    const leave = await place(places.take(address.instance), signal, timeoutMs)
    try {
      const waitMs = isProbe ? 0 : breakers.admit(receiver)
      if (waitMs > 0)
        throw new ModelError(
          'temporary',
          'The provider did not answer the last calls, so that none is made for a while.',
          {
            retryAfterMs: waitMs,
          },
        )
      return await reported(receiver, () => work({ address, signal, deadlineMs }))
    } finally {
      leave()
    }
  }

  async function reported<T>(receiver: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      breakers.succeeded(receiver)
      return result
    } catch (error) {
      if (!(error instanceof ModelError)) breakers.passed(receiver)
      else if (error.kind === 'temporary' && error.retryAfterMs !== 0) breakers.failed(receiver, error)
      else breakers.succeeded(receiver)
      throw error
    }
  }
}

/** Servers at a base URL may have no embeddings: that must not hold up answers. */
function formatVectorReceiver(address: ModelAddress): string {
  return address.baseUrl === null ? formatReceiver(address) : `${formatReceiver(address)} vectors`
}

/** Waits for a place no longer than the call may take. A place that comes too late is given back. */
async function place(taken: Promise<() => void>, signal: AbortSignal, timeoutMs: number): Promise<() => void> {
  let stop = () => {}
  const ended = new Promise<never>((_, reject) => {
    const timer = setTimeout(
      () => reject(new ModelError('temporary', 'Other calls of this instance took all the time.')),
      timeoutMs,
    )
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  })
  try {
    return await Promise.race([ended, taken])
  } catch (error) {
    taken.then(
      (leave) => leave(),
      () => {},
    )
    throw error
  } finally {
    stop()
  }
}

/** @throws ModelError for what no request can be made of */
function refuseAddress(address: ModelAddress): void {
  const { provider, model, apiKey } = address
  if (apiKey === '' && provider !== 'custom') throw new ModelError('key', 'The agent has no key.')
  if (!KEY.test(apiKey)) throw new ModelError('key', 'The key has characters that no key has.')
  if (!MODEL.test(model)) throw new ModelError('refused', 'The model has characters that no model has.')
  if (provider === 'gemini' && (!PATH_MODEL.test(model) || model.includes('..')))
    throw new ModelError('refused', 'The model has characters that no model of this provider has.')
  const baseUrl = findBaseUrl(address)
  if (baseUrl === '') throw new ModelError('address', 'The provider custom needs a base URL.')
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new ModelError('address', 'The base URL is not a URL of http or https.')
}

// Texts of recordings: a form with a file, at OpenAI and servers that are compatible with it.

interface Transcribed {
  readonly text: string
  readonly seconds: number | null
  readonly usage: ModelUsage
}

/** Of `verbose_json`, which has a list of segments and words beside the text. */
const ANSWER: JsonUse = {
  bytesMax: 2 * 1024 * 1024,
  valuesMax: 200_000,
  depthMax: 16,
  keep: { ...ERROR_KEPT, text: true, duration: true, usage: { input_tokens: true, output_tokens: true } },
}
const SIZE_MAX_BYTES = 25 * 1024 * 1024
/** Tokens of a second of sound, and a sound whose bytes tell its length: 16 kbit/s, as voice notes have. */
const SOUND_TOKENS_PER_SECOND = 10
const BYTES_PER_SECOND = 2_000
const TOKENS_MAX = 10_000_000
/** Servers tell the format by the extension of the file name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'application/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/m4a': 'm4a',
  'audio/aac': 'm4a',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/webm': 'webm',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

/** @throws ModelError, or the signal's reason */
async function transcribe(
  post: (exchange: ModelExchange, request: ModelRequest) => Promise<ModelResponse>,
  call: Pick<ModelExchange, 'address' | 'signal' | 'deadlineMs'>,
  { bytes, mimetype }: { readonly bytes: Uint8Array; readonly mimetype: string },
): Promise<Transcribed> {
  const { address } = call
  if (address.provider !== 'openai' && address.provider !== 'custom')
    throw new ModelError('refused', `The provider ${address.provider} does not transcribe.`)
  // Bound: 200, a media type.
  const type = (mimetype.split(';')[0] ?? '').trim().toLowerCase()
  const extension = EXTENSIONS[type]
  if (extension === undefined)
    throw new ModelError('refused', `Recordings of the type ${type.slice(0, 50)} cannot be transcribed.`)
  if (bytes.length > SIZE_MAX_BYTES) throw new ModelError('refused', 'The recording is larger than 25 MB.')
  const form = new FormData()
  form.append('model', address.model)
  // Only this model tells the length; the others refuse the longer form.
  form.append('response_format', address.model === 'whisper-1' ? 'verbose_json' : 'json')
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), `audio.${extension}`)
  const encoded = new Response(form)
  const { body } = await post(
    { ...call, privateTexts: [address.apiKey] },
    {
      url: `${findBaseUrl(address)}/audio/transcriptions`,
      headers: {
        'content-type': encoded.headers.get('content-type') ?? '',
        ...(address.apiKey === '' ? {} : { authorization: `Bearer ${address.apiKey}` }),
      },
      body: new Uint8Array(await encoded.arrayBuffer()),
      json: ANSWER,
    },
  )
  const { text, duration, usage } = (body ?? {}) as { text?: unknown; duration?: unknown; usage?: unknown }
  if (typeof text !== 'string') throw broken('The answer has no text.', 200)
  const given = Number(duration)
  const seconds = duration !== undefined && Number.isFinite(given) ? given : null
  return { text, seconds, usage: readUsage(usage, text, seconds ?? bytes.length / BYTES_PER_SECOND) }
}

/** Some models count tokens, others seconds, and a server may tell anything. */
function readUsage(given: unknown, text: string, seconds: number): ModelUsage {
  const { input_tokens: input, output_tokens: output } = (given ?? {}) as Readonly<Record<string, unknown>>
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
  if (isCount(input) && isCount(output))
    return { inputTokens: Math.min(input, TOKENS_MAX), outputTokens: Math.min(output, TOKENS_MAX), isEstimate: false }
  const inputTokens = Math.min(TOKENS_MAX, Math.ceil(Math.max(0, seconds) * SOUND_TOKENS_PER_SECOND))
  return { inputTokens, outputTokens: estimateTokens(text), isEstimate: true }
}
