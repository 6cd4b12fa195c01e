/** Makes texts of recordings with the speech models of OpenAI. */
import type { Readable } from 'node:stream'
import { createOwnerSlots } from '../../lib/owner-slots.js'
import { type AgentModels, ModelError } from '../../schemas/agents/models.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { DayBudget, MessageTexts, Recording, Transcriptions } from '../../schemas/ports/agents.js'
import type { FileOfMessage, MediaService } from '../../schemas/ports/media.js'
import { secondsOfSound } from './sound-length.js'

// Bound: 65,536, a name, type or sentence.

export interface TranscriptionOptions {
  readonly media: Pick<MediaService, 'open' | 'canConvert'>
  readonly models: Pick<AgentModels, 'transcribe'>
  readonly texts: MessageTexts
  readonly openaiKey: (instance: InstanceId) => Promise<string | null>
  readonly budget: DayBudget
}

const MODEL = 'gpt-4o-mini-transcribe'
const FILE_MAX_BYTES = 25_000_000
const SECONDS_MAX = 600
/** Maximum of a sound whose length cannot be measured: as many bytes as 10 minutes have at 64 kbit/s. */
const UNMEASURED_MAX_BYTES = SECONDS_MAX * 8_000
const TIMEOUT_MS = 120_000
/** Of sound and of the words in it, at most. */
const TOKENS_PER_SECOND = 16
/** Voice notes have 16 kbit/s; other sounds have more, so that this is the most that they may last. */
const BYTES_PER_SECOND = 2_000
/** Recordings of one instance that are in memory at once, and those that wait. */
const TURNS = { max: 2, waitingMax: 20 }
/** Types whose length is measured; others are converted where there is ffmpeg. */
const MEASURED = /^audio\/(ogg|opus|mpeg|mp3|wav|x-wav)\b/

export function createTranscriptions({
  media,
  models,
  texts,
  openaiKey,
  budget,
}: TranscriptionOptions): Transcriptions {
  const turns = createOwnerSlots(TURNS, () => unavailable('Too many recordings of this instance wait.'))
  /** Recordings that are being transcribed. Later callers wait for the same text. */
  const underWay = new Map<string, Promise<string>>()

  async function make(instance: InstanceId, recording: Recording, apiKey: string): Promise<string> {
    const file = await openFile(instance, recording)
    const seconds = checkedLength(file.bytes)
    const address = { instance, provider: 'openai', model: MODEL, baseUrl: null, apiKey } as const
    const options = { signal: new AbortController().signal, timeoutMs: TIMEOUT_MS }
    const planned = { instance, tokens: Math.ceil(seconds * TOKENS_PER_SECOND), prices: 'transcription' } as const
    const { text } = await budget
      .spend(planned, () => models.transcribe(address, file, options))
      .catch((error: unknown) => {
        throw translateFailure(error)
      })
    await texts.write(instance, recording.message, text, recording.file)
    return text
  }

  async function openFile(instance: InstanceId, { message, file }: Recording) {
    const given = await media.open(instance, message, file)
    if (!/^(audio|video)\//.test(given.mimetype)) {
      drop(given.body)
      throw refused(`The file is not audio: its type is ${given.mimetype}.`)
    }
    if (!MEASURED.test(given.mimetype) && file === 'own' && media.canConvert) {
      drop(given.body)
      return await readWhole(await media.open(instance, message, 'mp3'))
    }
    return await readWhole(given)
  }

  return {
    async of(instance, recording, apiKey) {
      const stored = await texts.read(instance, recording.message, recording.file)
      if (stored !== null) return stored
      if (recording.seconds !== null && recording.seconds > SECONDS_MAX)
        throw refused(`The recording lasts ${recording.seconds} seconds; at most ${SECONDS_MAX} are transcribed.`)
      const key = apiKey ?? (await openaiKey(instance))
      if (key === null || key === '')
        throw refused('There is no OpenAI key: give `openai_apikey`, or set it with /instance/updatechatbotsettings.')
      const name = `${instance} ${recording.message} ${recording.file}`
      const known = underWay.get(name)
      if (known !== undefined) return await known
      const made = turns.run(instance, () => make(instance, recording, key)).finally(() => underWay.delete(name))
      underWay.set(name, made)
      return await made
    },
  }
}

/** @throws GatewayError MEDIA_TOO_LARGE */
async function readWhole({ body, mimetype, sizeBytes }: FileOfMessage): Promise<{ bytes: Buffer; mimetype: string }> {
  if (sizeBytes > FILE_MAX_BYTES) {
    drop(body)
    throw new GatewayError('MEDIA_TOO_LARGE', { fields: { limit_bytes: FILE_MAX_BYTES } })
  }
  const parts: Buffer[] = []
  for await (const part of body as AsyncIterable<Buffer>) parts.push(part)
  return { bytes: Buffer.concat(parts), mimetype }
}

/** Returns the seconds of a sound, or the most that it may have: the length that the sender named may be anything. @throws GatewayError TRANSCRIPTION_REFUSED */
function checkedLength(bytes: Buffer): number {
  const seconds = secondsOfSound(bytes, SECONDS_MAX)
  if (seconds === null && bytes.length > UNMEASURED_MAX_BYTES)
    throw refused(
      `The length of the recording cannot be measured: at most ${UNMEASURED_MAX_BYTES} bytes of its type are transcribed.`,
    )
  if (seconds !== null && seconds > SECONDS_MAX)
    throw refused(`The recording lasts more than ${SECONDS_MAX} seconds, the limit for transcription.`)
  return seconds ?? Math.min(SECONDS_MAX, bytes.length / BYTES_PER_SECOND)
}

function drop(body: Readable): void {
  body.on('error', () => {}).destroy()
}

function translateFailure(error: unknown): unknown {
  if (!(error instanceof ModelError)) return error
  return error.kind === 'temporary' ? unavailable(error.message) : refused(error.message)
}

function refused(why: string): GatewayError {
  return new GatewayError('TRANSCRIPTION_REFUSED', { details: [{ field: 'transcribe', why }] })
}

function unavailable(why: string): GatewayError {
  return new GatewayError('TRANSCRIPTION_UNAVAILABLE', { details: [{ field: 'transcribe', why }] })
}
