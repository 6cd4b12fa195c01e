import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { ModelError } from '../../../schemas/agents/models.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { KnowledgeEdit } from '../../../schemas/ports/agents.js'
import { suiteCleanup } from '../../../test/support/cleanup.js'
import { smallPdf } from '../../../test/support/small-pdf.js'
import { openTestStore, type TestStore, testLog } from '../../../test/support/store.js'
import { createKnowledgeEntries } from '../../store/agents/knowledge-entries.js'
import { createKnowledgeReader } from '../../store/agents/knowledge-reader.js'
import { createKnowledgeWork, type KnowledgeWork } from '../../store/agents/knowledge-work.js'
import { createWork } from '../../work/work.js'
import { createExtractor } from '../extract/extractor.js'
import { createKnowledgeIndex } from './knowledge-index.js'
import { createKnowledgeSearch } from './knowledge-search.js'
import type { EmbeddingModel, Embeddings } from './provider-embeddings.js'
import { createVectorSearch } from './vector-search.js'

const NEVER = new AbortController().signal
const DIMENSIONS = 8
/** Words of one meaning have one direction. */
const MEANINGS = [/car|vehicle|automobile/i, /bread|bakery/i, /refund|money back/i, /open|hours/i]

describe('knowledge', () => {
  const cleanup = suiteCleanup()
  const extractor = createExtractor({ work: createWork() })
  let store: TestStore
  let work: KnowledgeWork
  /** The model of each instance. */
  const models = new Map<InstanceId, EmbeddingModel>()
  let embedded: string[] = []
  let failure: ModelError | undefined
  /** Answers of the web by URL. */
  const pages = new Map<string, Buffer | GatewayError>()
  const embeddings: Embeddings = {
    of: async (instance) => models.get(instance) ?? null,
    find: async (instance) => models.get(instance) ?? { none: '' },
    isPossible: async (instance) => models.has(instance),
  }
  const outgoing = {
    async get(url: string) {
      const page =
        pages.get(url) ?? new GatewayError('FETCH_FAILED', { details: [{ field: 'url', why: 'It answered 404.' }] })
      if (page instanceof GatewayError) throw page
      return { url, contentType: 'text/html; charset=utf-8', body: page }
    },
  }
  before(async () => {
    store = await openTestStore(cleanup)
    work = createKnowledgeWork(store.database.pool)
    const vectors = createVectorSearch()
    cleanup.after(() => vectors.close())
    search = createKnowledgeSearch({
      reader: createKnowledgeReader(store.database.pool),
      embeddings,
      vectors,
      onOtherModel: (instance, space) => void others.push(work.requestVectors(instance, space)),
    })
  })
  let search: ReturnType<typeof createKnowledgeSearch>
  let others: Promise<boolean>[] = []

  const makeModel = (model = 'fake/one', dimensions = DIMENSIONS): EmbeddingModel => ({
    model,
    dimensions,
    async embed(_purpose, texts) {
      if (failure !== undefined) throw failure
      embedded.push(...texts)
      return texts.map((text) => {
        const values = Array.from({ length: dimensions }, (_, index) => (MEANINGS[index]?.test(text) ? 1 : 0.01))
        const length = Math.hypot(...values)
        return Float32Array.from(values, (value) => value / length)
      })
    },
  })
  const entries = () => createKnowledgeEntries(store.database.pool, () => {})
  const save = async (instance: InstanceId, fields: Partial<KnowledgeEdit>, id: string | null = null) => {
    const usual = { active: true, tittle: 'Title', content: '', fileType: '', priority: 0, source: null } as const
    return (await entries().save(instance, id, { ...usual, isReread: true, isOther: true, ...fields })).id
  }
  const index = async (given: Partial<KnowledgeWork> = {}) =>
    await createKnowledgeIndex({
      work: { ...work, ...given },
      extractor,
      embeddings,
      outgoing,
      logger: testLog,
    }).run(NEVER)
  const entry = async (instance: InstanceId, id: string) => {
    const found = await entries().find(instance, id)
    assert.ok(found !== null)
    return found
  }
  const found = async (instance: InstanceId, query: string) =>
    (await search.search(instance, query, { entries: null })).chunks.map(({ text }) => text)
  /** Fills an instance, so that its knowledge is not given as a whole. */
  const filler = (word: string) =>
    Array.from({ length: 400 }, (_, line) => `${word} ${line} says nothing of note.`).join('\n\n')

  it('is found by its words: with other endings, without accents, with typing errors', async () => {
    const instance = await store.newInstance()
    await save(instance, {
      tittle: 'Trocas',
      content: 'O prazo para devoluções é de 30 dias e não há custo para você.',
    })
    await save(instance, {
      tittle: 'Entrega',
      content: 'A entrega é feita em São Paulo de segunda a sexta, e a taxa depende do bairro.',
    })
    await index()
    for (const query of [
      'devolução',
      'DEVOLUCAO',
      'devoluções?',
      'qual é o prazo de devolucao',
      'devoluçoes',
      'devlouções',
      'trocas',
    ])
      assert.match((await found(instance, query))[0] ?? '', /^O prazo/, query)
    for (const query of ['entrega em sao paulo', 'entregas', 'bairros', 'entreag'])
      assert.match((await found(instance, query))[0] ?? '', /^A entrega/, query)
    for (const query of ['o que é isso para você', '???', "'; DROP TABLE", "a & | ! ( ) :* \\ 'x'", 'helicóptero'])
      assert.deepEqual(await found(instance, query), [], query)
  })

  it('finds a rare word among words that stand everywhere, common words together, and a paraphrase by its meaning', async () => {
    const instance = await store.newInstance()
    models.set(instance, makeModel())
    // Each section is a chunk.
    const section = (text: string) => `# Loja\n\n${text} ${'Nada de novo aqui. '.repeat(16)}`
    const sections = Array.from({ length: 1_200 }, (_, number) =>
      section(`${'Entrega, prazo e bairro. '.repeat(4)} ${['Montanha', 'Planície', 'Deserto'][number % 3]} sempre.`),
    )
    sections[417] = section('O helicóptero pousa perto do bairro.')
    sections[611] = section('Da montanha se vê a planície.')
    sections[802] = section('Our bakery is around the corner.')
    await save(instance, { tittle: 'Loja', content: sections.join('\n\n') })
    await index()
    for (const query of ['Qual é o prazo de entrega no bairro com helicóptero?', 'bairro entrega prazo helicoptros'])
      assert.match((await found(instance, query))[0] ?? '', /helicóptero/, query)
    assert.equal((await found(instance, 'entrega prazo bairro')).length > 0, true)
    assert.equal(
      (await found(instance, 'where is fresh bread')).findIndex((text) => text.includes('bakery')),
      0,
    )
    models.delete(instance)
    assert.match((await found(instance, 'planicie montanha'))[0] ?? '', /Da montanha/)
    // Both words are common, and stand together in no chunk.
    await save(
      instance,
      { tittle: 'Loja', content: sections.toSpliced(611, 1).join('\n\n') },
      (await entries().list(instance))[0]?.id,
    )
    await index()
    assert.equal((await found(instance, 'planicie montanha')).length > 0, true)
    await Promise.all(others)
    others = []
  })

  it('finds the chunk with the rarest words of a long question first, and leaves no long list beside the index', async () => {
    const instance = await store.newInstance()
    const makeWord = (number: number) => `${number.toString(36).padStart(3, 'k')}zorra`
    // Each word stands in 20 of 1,200 chunks.
    const sections = Array.from({ length: 1_200 }, (_, at) => {
      const words = Array.from({ length: 20 }, (_each, of) => makeWord((at * 7 + of * 53) % 1_200))
      return `# Loja\n\n${words.join(' ')}. ${'Nada de novo aqui. '.repeat(12)}`
    })
    sections[700] = `# Loja\n\nO flamingo dança na loja com pix. ${'Nada de novo aqui. '.repeat(12)}`
    await save(instance, { tittle: 'Loja', content: sections.join('\n\n') })
    await index()
    const [list] = await store.rows<{ pages: number }>(
      `SELECT gin_clean_pending_list('knowledge_chunk_lexemes')::int AS pages`,
    )
    assert.ok((list?.pages ?? 1_000) <= 40, `${list?.pages} pages`)
    const others = Array.from({ length: 13 }, (_, number) => makeWord(number * 80)).join(' ')
    const question = `Olá, bom dia, tudo bem? Queria saber ${others}, e também se aceitam pix de flamingos, por favor.`
    assert.match((await found(instance, question))[0] ?? '', /flamingo/)
  })

  it('shows its state: pending, indexed without a provider, vectorized with one', async () => {
    const instance = await store.newInstance()
    const id = await save(instance, { content: 'We sell automobiles' })
    assert.deepEqual(
      [(await entry(instance, id)).vectorStatus, (await entry(instance, id)).lastVectorized],
      ['pending', null],
    )
    await index()
    assert.equal((await entry(instance, id)).vectorStatus, 'indexed')
    // A key is set: the next search notices it.
    models.set(instance, makeModel())
    await found(instance, 'automobiles')
    assert.deepEqual(await Promise.all(others), [true])
    await index()
    const done = await entry(instance, id)
    assert.equal(done.vectorStatus, 'vectorized')
    assert.ok((done.lastVectorized?.getTime() ?? 0) > 0)
    const { chunks, isByMeaning } = await search.search(instance, 'vehicle', { entries: null })
    assert.deepEqual([chunks.map(({ text }) => text), isByMeaning], [['We sell automobiles'], true])
    // Another model: everything again, and nothing is compared until then.
    embedded = []
    others = []
    models.set(instance, makeModel('fake/two', 4))
    assert.equal((await search.search(instance, 'vehicle', { entries: null })).isByMeaning, false)
    await Promise.all(others)
    await index()
    assert.deepEqual(embedded, ['Title\n\nWe sell automobiles'])
    assert.equal((await search.search(instance, 'vehicle', { entries: null })).isByMeaning, true)
    const off = await save(instance, { content: 'off', active: false })
    await index()
    assert.equal((await entry(instance, off)).vectorStatus, '')
  })

  it('continues by words when the provider fails, says why, and is tried again when that may help', async () => {
    const instance = await store.newInstance()
    models.set(instance, makeModel())
    for (const [kind, isRetried] of [
      ['temporary', true],
      ['key', false],
    ] as const) {
      failure = new ModelError(kind, 'The provider said no.')
      const id = await save(instance, { content: `Our bakery ${kind}` })
      await index()
      const { vectorStatus, vectorReason, vectorCode } = await entry(instance, id)
      const code = kind === 'key' ? 'provider_key' : 'provider_away'
      assert.deepEqual([vectorStatus, vectorReason, vectorCode], ['error', 'No vectors: The provider said no.', code])
      assert.deepEqual(await found(instance, kind), [`Our bakery ${kind}`])
      const [row] = await store.rows<{ due: Date | null }>('SELECT vectors_due AS due FROM knowledge WHERE id = $1', [
        id,
      ])
      assert.equal(row?.due !== null, isRetried)
    }
    failure = undefined
    others = []
    await store.rows(`UPDATE knowledge SET vectors_due = now() WHERE instance_id = $1 AND vectors_due IS NOT NULL`, [
      instance,
    ])
    await index()
    const states = (await entries().list(instance)).map(({ vectorStatus }) => vectorStatus).toSorted()
    assert.deepEqual(states, ['error', 'vectorized'])
    // A new key is tried at once, also before the time of the next attempt.
    await store.rows(
      `UPDATE knowledge SET vectors_due = now() + interval '1 hour' WHERE instance_id = $1 AND vector_status = 'error'`,
      [instance],
    )
    assert.equal(await work.requestVectors(instance, makeModel()), false)
    assert.equal(await work.requestVectors(instance, makeModel(), true), true)
    await index()
    assert.ok((await entries().list(instance)).every(({ vectorStatus }) => vectorStatus === 'vectorized'))
    // An entry that could not be read again keeps its vectors and its reason.
    await store.rows(`UPDATE knowledge SET vector_status = 'error', vector_reason = 'Gone.' WHERE instance_id = $1`, [
      instance,
    ])
    assert.equal(await work.requestVectors(instance, makeModel(), true), false)
  })

  it('takes up the vectors of a run that ended in the middle, and pays for none twice', async () => {
    const instance = await store.newInstance()
    models.set(instance, makeModel())
    embedded = []
    const id = await save(instance, { content: filler('Car') })
    let stores = 0
    const storeVectors: KnowledgeWork['storeVectors'] = async (...values) => {
      await work.storeVectors(...values)
      stores += 1
      if (stores === 1) throw new Error('The node ends here.')
    }
    const failVectors = () => Promise.reject(new Error('The node has ended.'))
    await assert.rejects(index({ storeVectors, failVectors }), /has ended/)
    const before = embedded.length
    assert.equal((await entry(instance, id)).vectorStatus, 'processing')
    await index()
    assert.equal((await entry(instance, id)).vectorStatus, 'vectorized')
    assert.equal(new Set(embedded).size, embedded.length)
    assert.ok(before > 0 && embedded.length >= before)
  })

  it('ends right when an entry is edited, switched off or deleted while it is read', async () => {
    const instance = await store.newInstance()
    const id = await save(instance, { content: 'the former text' })
    let isFirst = true
    const beginRead: KnowledgeWork['beginRead'] = async (due) => {
      const unread = await work.beginRead(due)
      if (isFirst && unread !== null) {
        isFirst = false
        await save(instance, { content: 'the edited text' }, id)
      }
      return unread
    }
    await index({ beginRead })
    assert.deepEqual(await found(instance, 'text'), ['the edited text'])
    await entries().delete(instance, id)
    assert.deepEqual(await found(instance, 'text'), [])
    const other = await save(instance, { content: 'another one' })
    await index({
      beginRead: async (due) => {
        const unread = await work.beginRead(due)
        await entries().delete(instance, other)
        return unread
      },
    })
    assert.deepEqual(await store.rows('SELECT FROM knowledge_chunk WHERE instance_id = $1', [instance]), [])
    const switched = await save(instance, { content: 'seen and hidden' })
    await index()
    await save(instance, { content: 'seen and hidden', active: false, isReread: false, isOther: false }, switched)
    assert.deepEqual(await found(instance, 'hidden'), [])
    await save(instance, { content: 'seen and hidden', isReread: false, isOther: false }, switched)
    assert.deepEqual(await found(instance, 'hidden'), ['seen and hidden'])
  })

  it('is given up when reading it broke off again and again, until it is edited', async () => {
    const instance = await store.newInstance()
    const id = await save(instance, { content: 'Open from nine to five.' })
    for (let crash = 0; crash < 9; crash += 1) assert.equal((await work.beginRead({ instance, id }))?.attempts, crash)
    await index()
    const given = await entry(instance, id)
    assert.deepEqual([given.vectorStatus, given.vectorCode], ['error', 'interrupted'])
    assert.match(given.vectorReason, /^Reading it broke off too often/)
    assert.equal(await work.beginRead({ instance, id }), null)
    await save(instance, { content: 'Open from nine to six.' }, id)
    for (let crash = 0; crash < 8; crash += 1) await work.beginRead({ instance, id })
    await index()
    assert.deepEqual([(await entry(instance, id)).vectorStatus, (await found(instance, 'open')).length], ['indexed', 1])
  })

  it('reads entries that a node of a former release has edited', async () => {
    const instance = await store.newInstance()
    const id = await save(instance, { content: 'the former text' })
    await index()
    await store.rows(`UPDATE knowledge SET content = 'written by an old node', updated = now() WHERE id = $1`, [id])
    assert.equal((await entry(instance, id)).vectorStatus, 'pending')
    await index()
    assert.deepEqual(await found(instance, 'old node'), ['written by an old node'])
  })

  it('reads files and pages, keeps the former text of a page that fails, and says what is wrong with others', async () => {
    const instance = await store.newInstance()
    const pdf = await save(instance, { source: smallPdf('Prices of bread'), fileType: 'pdf' })
    const broken = await save(instance, { source: Buffer.from('%PDF-1.4 broken'), fileType: 'pdf' })
    pages.set('https://shop.example/', Buffer.from('<h1>Opening</h1><p>Nine to five</p>'))
    const page = await save(instance, { content: 'https://shop.example/' })
    const hidden = await save(instance, { content: 'https://internal.example/' })
    pages.set('https://internal.example/', new GatewayError('URL_NOT_ALLOWED'))
    for (let round = 0; round < 4; round += 1) await index()
    assert.equal((await entry(instance, pdf)).content, 'Prices of bread')
    assert.deepEqual(await found(instance, 'bread'), ['Prices of bread'])
    assert.deepEqual(await found(instance, 'nine to five'), ['# Opening\n\nNine to five'])
    const { vectorStatus, vectorReason, vectorCode } = await entry(instance, broken)
    assert.deepEqual([vectorStatus, vectorReason, vectorCode], ['error', 'The PDF is broken.', 'unreadable'])
    assert.deepEqual(
      [(await entry(instance, hidden)).vectorStatus, (await entry(instance, hidden)).vectorCode],
      ['error', 'url_not_allowed'],
    )
    pages.delete('https://shop.example/')
    await save(instance, { content: 'https://shop.example/', isOther: false }, page)
    await index()
    const failed = await entry(instance, page)
    assert.deepEqual(
      [failed.vectorStatus, failed.vectorReason, failed.vectorCode],
      ['error', 'The URL could not be fetched: It answered 404.', 'url'],
    )
    assert.deepEqual(await found(instance, 'nine to five'), ['# Opening\n\nNine to five'])
    // Its next attempt is not now.
    assert.deepEqual(await work.due('', [], 10), [])
  })

  it('is given as a whole while it is small, else the best chunks within the budget, of the wanted entries', async () => {
    const instance = await store.newInstance()
    const long = Array.from({ length: 60 }, (_, line) => `Line ${line} is about the shop and its customers, as usual.`)
    const one = await save(instance, { tittle: 'One', content: long.join('\n\n'), priority: 1 })
    const two = await save(instance, { tittle: 'Two', content: 'The number of the shop is 99.' })
    await index()
    const whole = await search.find(instance, 'number', { entries: null })
    assert.equal(whole.isWhole, true)
    assert.equal(whole.chunks.at(-1)?.text, 'The number of the shop is 99.')
    assert.deepEqual(
      whole.chunks
        .filter(({ entry: of }) => of === one)
        .map(({ text }) => text)
        .join('\n\n'),
      long.join('\n\n'),
    )
    const more = await save(instance, { tittle: 'Three', content: filler('Nothing') })
    await index()
    const best = await search.find(instance, 'what is the number of the shop', { entries: null, tokensMax: 100 })
    assert.equal(best.isWhole, false)
    assert.equal(best.chunks[0]?.entry, two)
    assert.ok(best.chunks.length >= 1 && best.chunks.every(({ score }) => score > 0 && score <= 1))
    const narrow = await search.find(instance, 'number', { entries: [more], chunksMax: 3 })
    assert.ok(narrow.chunks.every(({ entry: of }) => of === more))
  })

  it('never reaches another instance', async () => {
    const canary = 'canary7f3a'
    const [owner, stranger] = [await store.newInstance('owner'), await store.newInstance('stranger')]
    for (const instance of [owner, stranger]) models.set(instance, makeModel())
    const secret = await save(owner, {
      tittle: canary,
      content: `Our bakery keeps ${canary} in the automobile. ${filler(canary)}`,
    })
    await save(stranger, { content: 'Nothing but a bakery and an automobile' })
    await index()
    await index()
    assert.match((await found(owner, canary))[0] ?? '', /canary7f3a/)
    for (const query of [canary, 'bakery automobile', 'canary7f3', 'kanary7f3a']) {
      for (const searchedEntries of [null, [secret]]) {
        const results = [
          await search.search(stranger, query, { entries: searchedEntries, chunksMax: 50 }),
          await search.find(stranger, query, { entries: searchedEntries, chunksMax: 50 }),
        ]
        assert.doesNotMatch(JSON.stringify(results), /canary/, `${query} ${searchedEntries}`)
      }
    }
    // The same id in both: each finds its own.
    await store.rows(
      `INSERT INTO knowledge (instance_id, id, active, tittle, content, file_type, priority) VALUES ($1, $2, true, 'T', 'mine', '', 0)`,
      [stranger, secret],
    )
    await index()
    assert.equal((await found(stranger, 'mine'))[0], 'mine')
    assert.doesNotMatch(JSON.stringify(await search.find(stranger, canary, { entries: null })), /canary/)
  })
})
