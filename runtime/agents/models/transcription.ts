/** Texts of recordings: a form with a file, at OpenAI and servers that are compatible with it. */
import { ModelError, type ModelUsage } from '../../../schemas/agents/models.js'
import type { JsonUse } from '../../outgoing/json/json-use.js'
import { estimateTokens } from './answer.js'
import { ERROR_KEPT } from './error-facts.js'
import { baseUrlOf } from './language-models.js'
import { broken, type Exchange, type ModelRequest, type ModelResponse } from './transport.js'

// Bound: 200, a media type.

export interface Transcribed {
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
export async function transcribe(
  post: (exchange: Exchange, request: ModelRequest) => Promise<ModelResponse>,
  call: Pick<Exchange, 'address' | 'signal' | 'deadlineMs'>,
  { bytes, mimetype }: { readonly bytes: Uint8Array; readonly mimetype: string },
): Promise<Transcribed> {
  const { address } = call
  if (address.provider !== 'openai' && address.provider !== 'custom')
    throw new ModelError('refused', `The provider ${address.provider} does not transcribe.`)
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
      url: `${baseUrlOf(address)}/audio/transcriptions`,
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
  return { text, seconds, usage: usageOf(usage, text, seconds ?? bytes.length / BYTES_PER_SECOND) }
}

/** Some models count tokens, others seconds, and a server may tell anything. */
function usageOf(given: unknown, text: string, seconds: number): ModelUsage {
  const { input_tokens: input, output_tokens: output } = (given ?? {}) as Readonly<Record<string, unknown>>
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
  if (isCount(input) && isCount(output))
    return { inputTokens: Math.min(input, TOKENS_MAX), outputTokens: Math.min(output, TOKENS_MAX), isEstimate: false }
  const inputTokens = Math.min(TOKENS_MAX, Math.ceil(Math.max(0, seconds) * SOUND_TOKENS_PER_SECOND))
  return { inputTokens, outputTokens: estimateTokens(text), isEstimate: true }
}
