import { limitedSignal } from '../../lib/time-limit.js'
import type { ModelPart } from '../../schemas/agents/models.js'
import type { HistoryMessage, OpenTurn } from '../../schemas/agents/turns.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { FileWords, TurnFiles } from '../../schemas/ports/agents.js'

export type TurnPictures = ReadonlyMap<number, Extract<ModelPart, { type: 'image' }>>

export interface FilesOfTurn {
  readonly instance: InstanceId
  readonly turn: Pick<OpenTurn, 'firstPosition' | 'lastPosition'>
  readonly history: readonly HistoryMessage[]
  /** Whether the model takes pictures. */
  readonly takesImages: boolean
  readonly signal: AbortSignal
}

/** The last so many pictures, recordings and documents of a turn are read. */
const PICTURES_MAX = 4
const RECORDINGS_MAX = 8
const DOCUMENTS_MAX = 3
/** Time for all of them. */
const FILES_MS = 60_000

const RECORDINGS: ReadonlySet<string> = new Set(['audio', 'ptt'])

/**
 * Reads the files of the messages that a turn answers. Those of earlier messages have the words that were read then.
 * @throws the reason of the signal
 */
export async function filesOfTurn(
  files: TurnFiles,
  { instance, turn, history, takesImages, signal }: FilesOfTurn,
): Promise<{ readonly history: readonly HistoryMessage[]; readonly images: TurnPictures; readonly notes: string[] }> {
  const mine = history.filter(
    ({ fromMe, isDeleted, position }) =>
      !fromMe && !isDeleted && position >= turn.firstPosition && position <= turn.lastPosition,
  )
  const pictures = takesImages ? takeLast(mine, PICTURES_MAX, (type) => type === 'image') : []
  const unread = mine.filter(({ extracted }) => extracted === null)
  const spoken = takeLast(unread, RECORDINGS_MAX, (type) => RECORDINGS.has(type))
  const documents = takeLast(unread, DOCUMENTS_MAX, (type) => type === 'document')
  if (pictures.length + spoken.length + documents.length === 0) return { history, images: new Map(), notes: [] }
  const { signal: within, end } = limitedSignal(signal, FILES_MS)
  const [shown, read] = await Promise.all([
    Promise.all(
      pictures.map(async ({ id, position }) => [position, await files.picture(instance, id, within)] as const),
    ),
    Promise.all(
      [...spoken, ...documents].map(
        async ({ id, position }) => [position, await files.words(instance, id, within)] as const,
      ),
    ),
  ]).finally(end)
  signal.throwIfAborted()
  const words = new Map(read)
  const notes = read.flatMap(([, { note, why }]) => (why === null ? [] : [`${note ?? 'file'}: ${why}`]))
  return {
    history: history.map((message) => withWords(message, words.get(message.position))),
    notes: [...new Set(notes)],
    images: new Map(shown.flatMap(([position, one]) => (one === null ? [] : [[position, { type: 'image', ...one }]]))),
  }
}

function takeLast(
  messages: readonly HistoryMessage[],
  max: number,
  isWanted: (mediaType: string) => boolean,
): readonly HistoryMessage[] {
  return messages.filter(({ mediaType }) => isWanted(mediaType)).slice(-max)
}

function withWords(message: HistoryMessage, words: FileWords | undefined): HistoryMessage {
  if (words === undefined) return message
  const { text, note } = words
  return { ...message, extracted: text, ...(note === null ? {} : { note }) }
}
