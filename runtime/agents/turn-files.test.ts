import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import sharp from 'sharp'
import { filesOfTurn } from '../../actors/agents/turn-files.js'
import type { HistoryMessage } from '../../schemas/agents/turns.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import { createWork } from '../work/work.js'
import { createExtractor } from './extract/extractor.js'
import { createTurnFiles } from './turn-files.js'

const ONE = 'one' as InstanceId

interface Stored {
  readonly mediaType: string
  readonly content: Readonly<Record<string, unknown>>
  readonly bytes?: Buffer
  readonly mimetype?: string
  readonly sizeBytes?: number
}

/** Files of messages by their internal ids. */
function scene(stored: Readonly<Record<string, Stored>>) {
  const written = new Map<string, string>()
  const work = createWork()
  const files = createTurnFiles({
    findRecord: async (_, id) => ({ ...stored[id], bytes: undefined }),
    texts: { write: async (_, id, text) => void written.set(id, text) },
    extractor: createExtractor({ work }),
    work,
    logger: pino({ level: 'silent' }),
  })
  files.use({
    media: {
      async open(_, id) {
        const { bytes, mimetype = '', sizeBytes } = stored[id] ?? {}
        if (bytes === undefined) throw new GatewayError('MEDIA_EXPIRED')
        return { body: Readable.from([bytes]), mimetype, fileName: '', sizeBytes: sizeBytes ?? bytes.length }
      },
    },
    transcriptions: {
      async of(_, { message, seconds }) {
        if (seconds !== null && seconds > 600) throw new GatewayError('TRANSCRIPTION_REFUSED')
        return `words of ${message}`
      },
    },
  })
  const history = Object.entries(stored).map(
    ([id, { mediaType }], position): HistoryMessage => ({
      ...{ id, position, messageid: id as MessageId, fromMe: false, atMs: 0, senderName: '', messageType: mediaType },
      ...{ mediaType, text: '', quotedText: '', isDeleted: false, extracted: null },
    }),
  )
  const read = (takesImages = true, signal = new AbortController().signal, firstPosition = 0) =>
    filesOfTurn(files, { instance: ONE, turn: { firstPosition, lastPosition: 100 }, history, takesImages, signal })
  return { read, written }
}

describe('the files of a turn', () => {
  it('are pictures for models that take them, and words', async () => {
    const bytes = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#aa5500' } })
      .png()
      .toBuffer()
    const { read, written } = scene({
      picture: { mediaType: 'image', content: {}, bytes, mimetype: 'image/png' },
      voice: { mediaType: 'ptt', content: { seconds: 7 } },
      song: { mediaType: 'audio', content: { seconds: 840 } },
      paper: {
        mediaType: 'document',
        content: { fileName: 'pri]ces\n.txt' },
        bytes: Buffer.from('Bread: 5'),
        mimetype: 'text/plain',
      },
    })
    const { history, images } = await read()
    assert.equal((await sharp(images.get(0)?.bytes).metadata()).format, 'jpeg')
    assert.deepEqual(
      history.map(({ extracted, note }) => [extracted, note]),
      [
        [null, undefined],
        ['words of voice', 'voice note, 7 s'],
        [null, 'audio, 14 min'],
        ['Bread: 5', 'document pri ces .txt'],
      ],
    )
    assert.deepEqual([...written], [['paper', 'Bread: 5']])
    assert.equal((await read(false)).images.size, 0)
    // Earlier messages keep what was read in their turn.
    assert.ok((await read(true, undefined, 50)).history.every(({ note }) => note === undefined))
  })

  it('are left out if they cannot be had, and never fail the turn', async () => {
    const document = { mediaType: 'document', content: { fileName: 'a.zip' } }
    const { read, written } = scene({
      broken: { mediaType: 'image', content: {}, bytes: Buffer.from('no picture'), mimetype: 'image/png' },
      expired: { mediaType: 'image', content: {} },
      zip: { ...document, bytes: Buffer.from([80, 75, 3, 4, 0, 0, 1]), mimetype: 'application/zip' },
      large: { ...document, bytes: Buffer.from('a'), mimetype: 'text/plain', sizeBytes: 2_000_001 },
      gone: { mediaType: 'ptt', content: { seconds: 601 } },
    })
    const { history, images } = await read()
    assert.equal(images.size, 0)
    assert.deepEqual(
      history.slice(2).map(({ extracted, note }) => [extracted, note]),
      [
        [null, 'document a.zip'],
        [null, 'document a.zip'],
        [null, 'voice note, 10 min'],
      ],
    )
    assert.equal(written.size, 0)
    await assert.rejects(read(true, AbortSignal.abort(new Error('The turn has ended.'))), /The turn has ended/)
  })
})
