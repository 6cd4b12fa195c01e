import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { before, beforeEach, describe, it } from 'node:test'
import { type AgentModels, type ModelAddress, ModelError } from '../../schemas/agents/models.js'
import type { InstanceId } from '../../schemas/ids.js'
import { suiteCleanup } from '../../test/support/cleanup.js'
import { startModels } from '../../test/support/models.js'
import { openTestStore, type TestStore, testLog } from '../../test/support/store.js'
import { createDayUsage } from '../store/agents/day-usage.js'
import { createKnowledgeEntries } from '../store/agents/knowledge-entries.js'
import { createKnowledgeReader } from '../store/agents/knowledge-reader.js'
import { createKnowledgeWork } from '../store/agents/knowledge-work.js'
import { createWork } from '../work/work.js'
import { createDayBudget } from './day-budget.js'
import { createExtractor } from './extract/extractor.js'
import { createKnowledgeIndex } from './knowledge/knowledge-index.js'
import { createKnowledgeSearch } from './knowledge/knowledge-search.js'
import { createEmbeddings } from './knowledge/provider-embeddings.js'
import { createVectorSearch } from './knowledge/vector-search.js'
import { createTranscriptions } from './transcription.js'

const NEVER = new AbortController().signal
const KEY = 'sk-openai-key-of-a-test'

describe('the budget of a day', async () => {
  const cleanup = suiteCleanup()
  const { providers, models, address } = await startModels(cleanup)
  const at = (given: ModelAddress): ModelAddress => ({ ...given, baseUrl: address('openai').baseUrl })
  const fake: Pick<AgentModels, 'embed' | 'transcribe'> = {
    embed: (given, ...rest) => models.embed(at(given), ...rest),
    transcribe: (given, ...rest) => models.transcribe(at(given), ...rest),
  }
  let store: TestStore
  let instance: InstanceId
  let news: InstanceId[] = []
  before(async () => {
    store = await openTestStore(cleanup)
  })
  beforeEach(async () => {
    providers.clear()
    news = []
    instance = await store.newInstance()
  })

  const makeBudget = (tokens: number) =>
    createDayBudget({ usage: createDayUsage(store.database.pool, tokens), onNews: (one) => void news.push(one) })
  const makeEmbeddings = (tokens: number) =>
    createEmbeddings(
      fake,
      {
        openaiKey: async () => KEY,
        agents: async () => [],
        agentKey: async () => null,
        noteEmbeddings: async () => {},
      },
      makeBudget(tokens),
    )
  const makeTranscriptions = (tokens: number) =>
    createTranscriptions({
      media: {
        canConvert: false,
        // Half a second, if it is a voice note.
        open: async () => ({
          mimetype: 'audio/webm',
          sizeBytes: 1_000,
          fileName: '',
          body: Readable.from([Buffer.alloc(1_000, 1)]),
        }),
      },
      models: fake,
      texts: { read: async () => null, write: async () => {} },
      openaiKey: async () => KEY,
      budget: makeBudget(tokens),
    })
  const usage = async () => {
    const rows = await store.rows<Record<string, number>>(
      `SELECT turns, reserved::int, tokens_in::int AS in, tokens_out::int AS out, cost_micros::int AS cost, told, to_tell
       FROM agent_usage WHERE instance_id = $1`,
      [instance],
    )
    return rows[0]
  }
  const settings = (costMicros: number, priceMicros: number) =>
    store.rows(
      `INSERT INTO chatbot_settings (instance_id, enabled, ignore_groups, stop_word, stop_minutes, own_message_minutes, openai_key_mask,
         cost_per_day_micros, embedding_price_micros, transcription_price_micros) VALUES ($1, true, true, '', 0, 0, '', $2, $3, $3)`,
      [instance, costMicros, priceMicros],
    )
  const recording = { message: 'm1', file: 'own', seconds: 3 } as const
  const why = async (work: Promise<unknown>) => {
    const error = (await work.then(
      () => assert.fail('It was not refused.'),
      (thrown: unknown) => thrown,
    )) as Error & { details?: { why: string }[] }
    return error.details?.[0]?.why ?? error.message
  }

  it('counts tokens and money of vectors and transcriptions, and tells at 80 and at 100 percent, once until it is told', async () => {
    await settings(1_000_000, 2_000_000)
    const model = await makeEmbeddings(60).of(instance)
    await model?.embed('query', ['a'.repeat(35)], NEVER)
    const { in: counted = 0, ...first } = (await usage()) ?? {}
    assert.ok(counted > 0)
    assert.deepEqual(first, { turns: 0, reserved: 0, out: 0, cost: 2 * counted, told: 0, to_tell: 0 })
    assert.deepEqual(news, [])
    // The fake counts 32 and 7 tokens, whatever was expected.
    await makeTranscriptions(60).of(instance, recording, null)
    const second = await usage()
    assert.deepEqual([second?.in, second?.out, second?.cost, second?.reserved], [counted + 32, 7, 2 * counted + 78, 0])
    assert.deepEqual([second?.to_tell, news], [80, [instance]])
    await store.rows('UPDATE agent_usage SET told = 80 WHERE instance_id = $1', [instance])
    assert.match(
      await why(makeTranscriptions(50).of(instance, recording, null)),
      /^The budget of the day is used up \(tokens\)/,
    )
    assert.deepEqual([(await usage())?.to_tell, news], [100, [instance, instance]])
    assert.equal(providers.calls.length, 2)
  })

  it('refuses before a call that may cost more than is left, and names tokens or money', async () => {
    await settings(10, 1_000_000)
    const model = await makeEmbeddings(1_000).of(instance)
    assert.match(await why(model?.embed('query', ['a'.repeat(350)], NEVER) as Promise<unknown>), /used up \(money\)/)
    assert.equal(providers.calls.length, 0)
    assert.deepEqual([(await usage())?.to_tell, (await usage())?.reserved], [100, 0])
    const error = await makeTranscriptions(5)
      .of(instance, recording, null)
      .catch((thrown: unknown) => thrown)
    assert.equal((error as { code?: string }).code, 'TRANSCRIPTION_REFUSED')
    assert.equal(providers.calls.length, 0)
  })

  it('is not exceeded by calls side by side, keeps what a lost answer may have cost, and gives back what was free', async () => {
    const budget = makeBudget(1_000)
    let calls = 0
    const spend = (
      tokens: number,
      call: () => Promise<{ usage: { inputTokens: number; outputTokens: number; isEstimate: boolean } }>,
    ) => budget.spend({ instance, tokens, prices: 'embedding' }, call)
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        spend(300, async () => {
          calls += 1
          await new Promise((resolve) => setTimeout(resolve, 200))
          return { usage: { inputTokens: 300, outputTokens: 0, isEstimate: false } }
        }),
      ),
    )
    assert.deepEqual([calls, results.filter(({ status }) => status === 'fulfilled').length], [3, 3])
    await store.rows('DELETE FROM agent_usage WHERE instance_id = $1', [instance])
    const fails = (isPerhapsCounted: boolean) =>
      spend(100, () => Promise.reject(new ModelError('temporary', 'Away.', { isPerhapsCounted })))
    await assert.rejects(fails(true), /Away/)
    assert.equal((await usage())?.reserved, 100)
    await assert.rejects(fails(false), /Away/)
    assert.equal((await usage())?.reserved, 100)
    await assert.rejects(
      budget.spend({ instance: 'gone' as InstanceId, tokens: 1, prices: 'embedding' }, () => assert.fail()),
      /has been deleted/,
    )
  })

  it('leaves half of the day to answers when knowledge gets vectors; the rest of it follows the next day', async () => {
    const { pool } = store.database
    const embeddings = makeEmbeddings(4_000)
    const vectors = createVectorSearch()
    cleanup.after(() => vectors.close())
    const content = Array.from({ length: 400 }, (_, line) => `Line ${line} says nothing of note.`).join('\n\n')
    const fields = { active: true, tittle: 'Shop', content, fileType: '', priority: 0, source: null } as const
    const entries = createKnowledgeEntries(pool, () => {})
    const { id } = await entries.save(instance, null, { ...fields, isReread: true, isOther: true })
    await createKnowledgeIndex({
      work: createKnowledgeWork(pool),
      extractor: createExtractor({ work: createWork() }),
      embeddings,
      outgoing: { get: () => assert.fail() },
      logger: testLog,
    }).run(NEVER)
    const entry = await entries.find(instance, id)
    assert.deepEqual([entry?.vectorStatus, entry?.vectorCode], ['error', 'budget'])
    assert.match(
      entry?.vectorReason ?? '',
      /^No vectors: The part of the budget for vectors of knowledge of the day is used up \(tokens\)/,
    )
    const [due] = await store.rows<{ isMidnight: boolean }>(
      `SELECT abs(extract(epoch FROM vectors_due - ((now() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC')) < 60 AS "isMidnight"
       FROM knowledge WHERE id = $1`,
      [id],
    )
    assert.equal(due?.isMidnight, true)
    assert.deepEqual([providers.calls.length, news], [0, []])
    // The words are found all the same, and a vector of another entry shows what a search says when the day is over.
    await store.rows(
      `UPDATE knowledge SET vector_status = 'vectorized', vectors_due = NULL, vector_model = 'openai/text-embedding-3-small 512' WHERE id = $1`,
      [id],
    )
    await store.rows('UPDATE agent_usage SET tokens_in = 4000 WHERE instance_id = $1', [instance])
    const search = createKnowledgeSearch({
      reader: createKnowledgeReader(pool),
      embeddings,
      vectors,
      onOtherModel: () => {},
    })
    const found = await search.search(instance, 'line 17', { entries: null })
    assert.equal(found.isByMeaning, false)
    assert.match(found.chunks[0]?.text ?? '', /Line 17 /)
    assert.match(found.warning ?? '', /^Knowledge was searched by its words only: The budget of the day is used up/)
  })
})
