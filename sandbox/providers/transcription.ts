import { openAiError, Refusal } from './refusal.js'
import type { FakeAnswer } from './script.js'
import { type Json, readText } from './values.js'

const FORMATS = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']
const SIZE_MAX_BYTES = 26_214_400
const FIELDS = new Set(
  'file model language prompt response_format temperature timestamp_granularities[] stream'.split(' '),
)

export interface UploadedFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Reads a form. @throws Refusal when it is none */
export async function readForm(bytes: Buffer, contentType: string): Promise<Json> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw new Refusal(400, openAiError('Could not parse multipart form'))
    })
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form)
    fields[name] =
      typeof value === 'string'
        ? value
        : ({
            name: value.name,
            type: value.type,
            bytes: new Uint8Array(await value.arrayBuffer()),
          } satisfies UploadedFile)
  return fields
}

/** `POST /audio/transcriptions`. @throws Refusal */
export function transcription(body: Json, { transcript }: FakeAnswer): Json {
  for (const name of Object.keys(body))
    if (!FIELDS.has(name)) refuse(`Unknown parameter: '${name}'.`, name, 'unknown_parameter')
  const file = body.file as UploadedFile | undefined
  if (file === undefined || typeof file !== 'object') refuse("'file' is a required property", 'file')
  if (file.bytes.length > SIZE_MAX_BYTES)
    throw new Refusal(
      413,
      openAiError(
        `${SIZE_MAX_BYTES}: Maximum content size limit (${SIZE_MAX_BYTES}) exceeded (${file.bytes.length} bytes read)`,
        {
          type: 'server_error',
        },
      ),
    )
  if (!FORMATS.includes(file.name.split('.').slice(1).at(-1) ?? ''))
    refuse(`Unrecognized file format. Supported formats: [${FORMATS.map((one) => `'${one}'`).join(', ')}]`, null)
  if (file.bytes.length < 100)
    refuse('Audio file is too short. Minimum audio length is 0.1 seconds.', 'file', 'audio_too_short')
  const model = readText(body.model)
  const format = body.response_format ?? 'json'
  if (format !== 'json' && model !== 'whisper-1' && model.includes('transcribe'))
    refuse(
      `response_format '${format}' is not compatible with model '${model}'. Use 'json' or 'text' instead.`,
      'response_format',
      'unsupported_value',
    )
  const text = transcript ?? `A recording of ${file.bytes.length} bytes.`
  return format === 'verbose_json'
    ? {
        task: 'transcribe',
        language: 'portuguese',
        duration: 3.2,
        text,
        segments: [],
        usage: { type: 'duration', seconds: 4 },
      }
    : model.includes('transcribe')
      ? { text, usage: { type: 'tokens', total_tokens: 39, input_tokens: 32, output_tokens: 7 } }
      : { text }
}

function refuse(message: string, param: string | null, code: string | null = null): never {
  throw new Refusal(400, openAiError(message, { param, code }))
}
