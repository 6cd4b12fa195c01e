/** Reads the files of messages for models: pictures, the words of recordings, the texts of documents. */
import type { Logger } from 'pino'
import { cut } from '../../lib/cut.js'
import { errorText } from '../../lib/error-text.js'
import { isObject } from '../../lib/is-object.js'
import { findKnowledgeType, type KnowledgeFileType, knowledgeFileType } from '../../schemas/agents/knowledge-content.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { FileWords, MessageTexts, Transcriptions, TurnFiles } from '../../schemas/ports/agents.js'
import type { FileOfMessage, MediaService } from '../../schemas/ports/media.js'
import type { Place } from '../work/place.js'
import type { SharedWork } from '../work/work.js'
import type { Extractor } from './extract/extractor.js'
import { createSmallPictures } from './models/pictures.js'

// Bound: 65,536, a name, type or sentence.

export interface TurnFilesOptions {
  readonly findRecord: (instance: InstanceId, message: string) => Promise<Readonly<Record<string, unknown>> | null>
  readonly texts: Pick<MessageTexts, 'write'>
  readonly extractor: Pick<Extractor, 'read'>
  readonly work: Pick<SharedWork, 'run'>
  readonly logger: Logger
}

/** These start after the instances of the node. */
export interface FileServers {
  readonly media: Pick<MediaService, 'open'>
  readonly transcriptions: Pick<Transcriptions, 'of'>
}

export interface NodeTurnFiles extends TurnFiles {
  /** Files that were asked for before wait for this call. */
  use(servers: FileServers): void
}

const PICTURE_MAX_BYTES = 8_000_000
const DOCUMENT_MAX_BYTES = 2_000_000
/** Characters of a document that a model sees. */
const DOCUMENT_CHARACTERS = 10_000
const NAME_MAX = 80
const UNKNOWN: FileWords = { text: null, note: null, why: null }

type Content = Readonly<Record<string, unknown>>

type Attempt = <T>(signal: AbortSignal, work: () => Promise<T>, onError?: (error: unknown) => void) => Promise<T | null>

export function createTurnFiles({ findRecord, texts, extractor, work, logger }: TurnFilesOptions): NodeTurnFiles {
  let use: (servers: FileServers) => void = () => {}
  const servers = new Promise<FileServers>((resolve) => {
    use = resolve
  })
  const smallPicture = createSmallPictures(work)

  const attempt: Attempt = (signal, work, onError) => attemptWork(logger, signal, work, onError)

  async function lendFile(place: Place, instance: InstanceId, message: string, bytesMax: number) {
    const { media } = await servers
    const file = await place.lend(media.open(instance, message, 'own'))
    return { bytes: await readBytes(file, bytesMax), mimetype: file.mimetype }
  }

  async function spoken(
    instance: InstanceId,
    message: string,
    content: Content,
    isVoice: boolean,
    signal: AbortSignal,
  ) {
    const seconds = typeof content.seconds === 'number' && content.seconds > 0 ? content.seconds : null
    let why: string | null = null
    const text = await attempt(
      signal,
      async () => {
        const { transcriptions } = await servers
        return await transcriptions.of(instance, { message, file: 'own', seconds }, null)
      },
      (error) => {
        why = findReason(error)
      },
    )
    const kind = isVoice ? 'voice note' : 'audio'
    return { text, note: seconds === null ? kind : `${kind}, ${formatLength(seconds)}`, why }
  }

  async function written(instance: InstanceId, message: string, content: Content, signal: AbortSignal) {
    const text = await attempt(signal, () =>
      work.run(
        'agent_file',
        instance,
        async (place) => {
          const { bytes, mimetype } = await lendFile(place, instance, message, DOCUMENT_MAX_BYTES)
          const read = await extractor.read(instance, { type: findFileType(bytes, mimetype), bytes }, signal)
          const short = cut(read.text, DOCUMENT_CHARACTERS)
          const kept = short === read.text ? short : `${short}\n[The document continues.]`
          await texts.write(instance, message, kept)
          return kept
        },
        signal,
      ),
    )
    const name = typeof content.fileName === 'string' ? plainName(content.fileName) : ''
    return { text, note: name === '' ? 'document' : `document ${name}`, why: null }
  }

  return {
    use,

    async picture(instance, message, signal) {
      return await attempt(signal, () =>
        work.run(
          'agent_file',
          instance,
          async (place) => {
            const { bytes } = await lendFile(place, instance, message, PICTURE_MAX_BYTES)
            const small = await smallPicture(instance, bytes)
            return small === undefined ? null : { bytes: small, mimetype: 'image/jpeg' }
          },
          signal,
        ),
      )
    },

    async words(instance, message, signal) {
      const record = await attempt(signal, () => findRecord(instance, message))
      const content = record?.content
      if (record === null || !isObject(content)) return UNKNOWN
      if (record.mediaType === 'document') return await written(instance, message, content, signal)
      return await spoken(instance, message, content, record.mediaType === 'ptt', signal)
    },
  }
}

/** Returns what the work gives; null if it fails or takes too long. */
async function attemptWork<T>(
  logger: TurnFilesOptions['logger'],
  signal: AbortSignal,
  work: () => Promise<T>,
  onError: (error: unknown) => void = () => {},
): Promise<T | null> {
  let abort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort)
  })
  try {
    signal.throwIfAborted()
    return await Promise.race([aborted, work()])
  } catch (error) {
    onError(error)
    logger.debug({ error: errorText(error) }, "A file of a message was left out of an agent's turn.")
    return null
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Returns what the owner of the agent can do something about. */
function findReason(error: unknown): string | null {
  if (!(error instanceof GatewayError)) return null
  const { details } = error as { readonly details?: readonly { readonly why: string }[] }
  return details?.[0]?.why ?? error.message
}

/** @throws Error if the file is too large, and what its source throws */
async function readBytes({ body, sizeBytes }: FileOfMessage, bytesMax: number): Promise<Buffer> {
  if (sizeBytes > bytesMax) {
    body.on('error', () => {}).destroy()
    throw new Error(`The file has more than ${bytesMax} bytes.`)
  }
  const parts: Buffer[] = []
  for await (const part of body as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

/** @throws GatewayError when files of this type are not read */
function findFileType(bytes: Uint8Array, mimetype: string): KnowledgeFileType {
  const named = findKnowledgeType(mimetype)
  // Senders often name PDF files wrongly.
  return knowledgeFileType(bytes, named === 'pdf' ? '' : named)
}

function formatLength(seconds: number): string {
  return seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`
}

/** A name is a part of one line in brackets. */
function plainName(name: string): string {
  return cut(name.replace(/[\p{C}[\]]+/gu, ' ').trim(), NAME_MAX)
}
