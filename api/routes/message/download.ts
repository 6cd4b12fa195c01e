import { Readable } from 'node:stream'
import { isObject } from '../../../lib/is-object.js'
import { GatewayError } from '../../../schemas/errors.js'
import { filesInContent } from '../../../schemas/files-in-content.js'
import type { DownloadReply, DownloadRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { Recording } from '../../../schemas/ports/agents.js'
import type { FileOfMessage, FileVariant } from '../../../schemas/ports/media.js'
import { Answer, instanceRoute } from '../../route.js'
import { fileDownloadErrors } from '../media/index.js'

const CONVERSION_FAILURES: ReadonlySet<string> = new Set(['MEDIA_TYPE_REFUSED', 'CONVERSION_UNAVAILABLE'])

export const downloadMessage = instanceRoute<DownloadRequest>({
  method: 'POST',
  path: '/message/download',
  name: 'downloadMessage',
  area: 'Message',
  scope: 'read',
  // A repetition may pay for a transcription again.
  reads: false,
  keyChat: { messages: ['id'] },
  summary: 'Give the file of a message: as a link, as base64, or both',
  schema: 'message/download.json',
  errors: [
    'MISSING_ID',
    'MESSAGE_NOT_FOUND',
    'NOT_SUPPORTED',
    'CONVERSION_UNAVAILABLE',
    'TRANSCRIPTION_REFUSED',
    'TRANSCRIPTION_UNAVAILABLE',
    ...fileDownloadErrors(),
  ],
  async handle({ instance, body, warnings }, { ports }): Promise<DownloadReply | Answer> {
    const { id, return_base64, return_link = true, generate_mp3 = true, openai_apikey, download_quoted, card } = body
    if (!id) throw new GatewayError('MISSING_ID')
    // Takes the oldest, with a file or without: another message under this id may come from somebody who wants its place.
    const [record] = (await ports.messages.find(instance.id, { id, limit: 1, offset: 0 })).messages
    if (record === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
    const isSound = record.mediaType === 'audio' || record.mediaType === 'ptt'
    const asMp3 = isSound && generate_mp3 && !download_quoted && ports.media.canConvert
    if (isSound && generate_mp3 && !download_quoted && !asMp3 && body.generate_mp3 !== undefined)
      warnings.push('generate_mp3: there is no ffmpeg on this server, so the audio is returned as it was sent')
    const ofCard = download_quoted ? null : chooseCard(record, card, warnings)
    const wanted = download_quoted ? 'quoted' : (ofCard ?? (asMp3 ? 'mp3' : 'own'))
    if (download_quoted && card !== undefined)
      warnings.push('card: a quoted message is given without its cards, ignored')
    const transcription = await makeTranscription(record, body, (recording) =>
      ports.transcriptions.of(instance.id, recording, openai_apikey || null),
    )
    const open = (one: FileVariant) => ports.media.open(instance.id, String(record.id), one)
    const { file, variant } = await openWanted(open, wanted, warnings)
    const linked = variant === 'own' ? undefined : variant
    const reply = {
      mimetype: file.mimetype,
      ...(transcription === undefined ? {} : { transcription }),
      ...(return_link ? { fileURL: ports.media.linkTo(instance.id, record, linked) } : {}),
    }
    if (return_base64) {
      const whole = { ...reply, ...(warnings.length > 0 ? { warnings } : {}) }
      return new Answer({ type: 'application/json; charset=utf-8', body: withBase64(whole, file) })
    }
    file.body.on('error', () => {}).destroy()
    return reply
  },
})

/** Opens the file as it is wanted; as it was sent, with a warning, when ffmpeg cannot convert it. */
async function openWanted(
  open: (variant: FileVariant) => Promise<FileOfMessage>,
  variant: FileVariant,
  warnings: string[],
): Promise<{ readonly file: FileOfMessage; readonly variant: FileVariant }> {
  try {
    return { file: await open(variant), variant }
  } catch (error) {
    const isConversion = error instanceof GatewayError && CONVERSION_FAILURES.has(error.code)
    if (variant !== 'mp3' || !isConversion) throw error
    const [detail] = (error.details ?? []) as readonly { readonly why: string }[]
    const why = detail === undefined ? '' : ` (${detail.why})`
    warnings.push(`generate_mp3: the audio could not be converted, so it is returned as it was sent${why}`)
    return { file: await open('own'), variant: 'own' }
  }
}

/** Returns the text of the sound, if it is wanted. @throws GatewayError INVALID_REQUEST, and as `Transcriptions` */
async function makeTranscription(
  { id, mediaType, content }: Readonly<Record<string, unknown>>,
  { transcribe = false, download_quoted = false }: DownloadRequest,
  make: (recording: Recording) => Promise<string>,
): Promise<string | undefined> {
  if (!transcribe) return undefined
  const isSound = mediaType === 'audio' || mediaType === 'ptt'
  if (!download_quoted && !isSound) throw invalidField('transcribe', 'needs a message with audio')
  const seconds = isObject(content) && typeof content.seconds === 'number' ? content.seconds : null
  return await make({
    message: String(id),
    file: download_quoted ? 'quoted' : 'own',
    seconds: download_quoted ? null : seconds,
  })
}

/** Chooses the card of a message with cards: the given one, else the first with a file. */
function chooseCard(
  { content }: Readonly<Record<string, unknown>>,
  asked: number | undefined,
  warnings: string[],
): `card${number}` | null {
  const { cards } = filesInContent(content)
  if (asked !== undefined && cards.length > 0) return `card${asked}`
  if (asked !== undefined) warnings.push('card: the message has no cards with files, ignored')
  const [first] = cards
  if (first === undefined) return null
  if (cards.length > 1) warnings.push(`card: the cards ${cards.join(', ')} have files, this is that of card ${first}`)
  return `card${first}`
}

/** Writes the answer while it reads the file, which may be larger than memory. */
function withBase64(reply: object, { body }: FileOfMessage): Readable {
  // Keeps the error of a file that breaks before it is read: its reader meets it then.
  body.on('error', () => {})
  const answer = Readable.from(
    (async function* () {
      yield `${JSON.stringify(reply).slice(0, -1)},"base64Data":"`
      let rest: Buffer = Buffer.alloc(0)
      for await (const chunk of body as AsyncIterable<Buffer>) {
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
        const whole = bytes.length - (bytes.length % 3)
        rest = bytes.subarray(whole)
        yield bytes.toString('base64', 0, whole)
      }
      yield `${rest.toString('base64')}"}`
    })(),
    { objectMode: false },
  )
  // Ends the file here: a generator that has not begun ends nothing, and the caller may have left before the first byte.
  return answer.once('close', () => body.destroy())
}
