import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { ModelError } from '../../schemas/agents/models.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { oggPage } from '../../test/support/ogg.js'
import { aMessage, openTestStore, received } from '../../test/support/store.js'
import { createMessageTexts } from '../store/agents/message-texts.js'
import { createRetention } from '../store/retention.js'
import { createTranscriptions } from './transcription.js'

describe('transcription', () => {
  it('asks the provider once for each audio file, and forgets the text with its message', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    await store.journal
      .forInstance(instance, store.findEpoch(instance))
      .write([received(aMessage({ text: 'an audio file' }))])
    const [message] = await store.rows<{ id: string }>('SELECT id FROM message WHERE instance_id = $1', [instance])
    assert.ok(message !== undefined)
    const texts = createMessageTexts(store.database.pool)
    let calls = 0
    let failure: ModelError | undefined
    let file = { mimetype: 'audio/ogg; codecs=opus', sizeBytes: 4 }
    let content = Buffer.from('OggS')
    const transcriptions = createTranscriptions({
      media: {
        canConvert: false,
        open: async () => ({ ...file, fileName: '', body: Readable.from([content]) }),
      },
      models: {
        async transcribe({ apiKey, provider }, { bytes }) {
          calls += 1
          assert.deepEqual([apiKey, provider, bytes.length], ['sk-own', 'openai', 4])
          if (failure !== undefined) throw failure
          return { text: `text ${calls}`, seconds: 3, usage: { inputTokens: 30, outputTokens: 2, isEstimate: true } }
        },
      },
      texts,
      budget: { spend: (_planned, call) => call() },
      openaiKey: async (asked: InstanceId) => (asked === instance ? 'sk-own' : null),
    })
    const of = (seconds: number | null, apiKey: string | null = null, owner = instance) =>
      transcriptions.of(owner, { message: message.id, file: 'own', seconds }, apiKey)
    const refusal = async (work: Promise<string>) => {
      const error = await work.catch((thrown: unknown) => thrown)
      assert.ok(error instanceof GatewayError, String(error))
      return [error.code, (error.details as { why: string }[] | undefined)?.[0]?.why.split(/[.:;]/)[0]]
    }
    assert.deepEqual(await refusal(of(601)), ['TRANSCRIPTION_REFUSED', 'The recording lasts 601 seconds'])
    const stranger = 'another' as InstanceId
    assert.deepEqual(await refusal(of(3, null, stranger)), ['TRANSCRIPTION_REFUSED', 'There is no OpenAI key'])
    file = { mimetype: 'application/pdf', sizeBytes: 4 }
    assert.deepEqual(await refusal(of(3)), ['TRANSCRIPTION_REFUSED', 'The file is not audio'])
    file = { mimetype: 'audio/ogg', sizeBytes: 25_000_001 }
    assert.deepEqual(await refusal(of(3)), ['MEDIA_TOO_LARGE', undefined])
    file = { mimetype: 'audio/ogg', sizeBytes: 4 }
    // Its sender says that it lasts 3 seconds. 300 pages of 250 packets of 20 ms are 1,500.
    const page = oggPage(Array.from({ length: 250 }, () => Buffer.from([31 << 3])))
    content = Buffer.concat([oggPage([Buffer.from('OpusHead')]), ...Array.from({ length: 300 }, () => page)])
    assert.deepEqual(await refusal(of(3)), [
      ...['TRANSCRIPTION_REFUSED', 'The recording lasts more than 600 seconds, the limit for transcription'],
    ])
    content = Buffer.alloc(4_800_001)
    assert.deepEqual(await refusal(of(3)), ['TRANSCRIPTION_REFUSED', 'The length of the recording cannot be measured'])
    assert.equal(calls, 0)
    content = Buffer.from('OggS')
    for (const [kind, code] of [
      ['temporary', 'TRANSCRIPTION_UNAVAILABLE'],
      ['key', 'TRANSCRIPTION_REFUSED'],
    ] as const) {
      failure = new ModelError(kind, 'The provider said no.')
      assert.deepEqual(await refusal(of(3)), [code, 'The provider said no'])
    }
    failure = undefined
    calls = 0
    // A call of its own meanwhile waits for the same text, and a later one reads it.
    assert.deepEqual(await Promise.all([of(3), of(3)]), ['text 1', 'text 1'])
    assert.deepEqual([await of(3), calls], ['text 1', 1])
    assert.equal(await texts.read(stranger, message.id), null)
    const retention = createRetention({ pool: store.database.pool })
    await retention.run()
    assert.equal(await texts.read(instance, message.id), 'text 1')
    await store.rows(`UPDATE message SET status = 'deleted' WHERE instance_id = $1`, [instance])
    await retention.run()
    assert.equal(await texts.read(instance, message.id), null)
  })
})
