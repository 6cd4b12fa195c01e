import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { uniqueByEvent } from '../durability/tally.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface Vote {
  readonly Option: string
  readonly Count: number
  readonly Voters: readonly string[]
}

const [ANA, BEN, EVE] = ['15550470001', '15550470002', '15550470003']
const jid = (number: string) => `${number}@s.whatsapp.net`

describe('polls', () => {
  let group: string
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update'],
    complete: async () => {
      const body = { owner: BEN, subject: 'Trip', members: [ANA, EVE] }
      group = (await world.network<{ jid: string }>('POST', '/groups', body)).jid
    },
  })

  const ask = async (number: string, selectableCount: number): Promise<string> => {
    const body = { number, type: 'poll', text: 'Colour?', choices: ['Red', 'Blue, deep', 'Green'], selectableCount }
    const sent = await ana.done('/send/menu', body)
    assert.deepEqual([sent.messageType, sent.convertOptions], ['poll', 'Red|Blue, deep|Green'])
    return String(sent.messageid)
  }
  const polled = async (phone: string, id: string) => {
    for (const list of ['messages', 'sent'])
      for (const one of await world.network<Json[]>('GET', `/phones/${phone}/${list}`))
        if (one.id === id) return one.poll as { question: string; options: { text: string; voters: string[] }[] } | null
    return undefined
  }
  const vote = async (phone: string, id: string, options: string[], more: Json = {}) => {
    await eventually(() => polled(phone, id))
    return (await world.network<{ id: string }>('POST', `/phones/${phone}/vote`, { id, options, ...more })).id
  }
  const told = (id: string) => receiver.message(id)
  /** Each option with who takes it, as the last event of the poll has it, when there have been so many. */
  const tallied = async (id: string, count: number) => {
    const events = await eventually(
      () =>
        uniqueByEvent(receiver.of('messages_update')).filter(
          ({ body }) => body.type === 'PollVote' && ((body.event as Json).MessageIDs as string[])[0] === id,
        ),
      (all) => all.length >= count,
    )
    assert.equal(events.length, count)
    const [last] = events.slice(-1).map(({ body }) => body.event as { Votes: Vote[] })
    const votes = last?.Votes ?? []
    for (const { Count, Voters } of votes) assert.equal(Count, Voters.length)
    return votes.map(({ Option, Voters }) => [Option, ...Voters])
  }
  const find = async (id: string) => (await ana.messages({ id }))[0] ?? {}

  it("are drawn, and votes are reported with their options; a person's last vote counts", async () => {
    const id = await ask(BEN, 0)
    assert.deepEqual(await eventually(() => polled(BEN, id)), {
      question: 'Colour?',
      selectableCount: 0,
      options: ['Red', 'Blue, deep', 'Green'].map((text) => ({ text, voters: [] })),
    })
    const first = await told(await vote(BEN, id, ['Green', 'Red']))
    assert.deepEqual(
      [first.messageType, first.vote, first.quoted, first.text, first.fromMe, first.sender_pn],
      ['poll', 'Red, Green', id, '', false, jid(BEN)],
    )
    assert.deepEqual((first.content as Json).selectedOptions, ['Red', 'Green'])
    assert.deepEqual(await tallied(id, 1), [['Red', jid(BEN)], ['Blue, deep'], ['Green', jid(BEN)]])
    // Under the other address.
    const second = await told(await vote(BEN, id, ['Blue, deep'], { addressing: 'lid' }))
    assert.deepEqual([second.vote, second.quoted], ['Blue, deep', id])
    assert.deepEqual(await tallied(id, 2), [['Red'], ['Blue, deep', jid(BEN)], ['Green']])
    const back = await told(await vote(BEN, id, []))
    assert.deepEqual([back.vote, (back.content as Json).selectedOptions], ['', []])
    assert.deepEqual(await tallied(id, 3), [['Red'], ['Blue, deep'], ['Green']])
  })

  it('are counted after the gateway was killed and started again', async () => {
    const id = await ask(group, 1)
    await told(await vote(BEN, id, ['Red']))
    assert.deepEqual(await tallied(id, 1), [['Red', jid(BEN)], ['Blue, deep'], ['Green']])
    await world.gateway.kill('SIGKILL')
    // While it is away one changes their mind, one comes new.
    const votes = [await vote(BEN, id, ['Green']), await vote(EVE, id, ['Green'])]
    await world.gateway.start()
    await ana.connected()
    for (const one of votes) assert.equal((await told(one)).vote, 'Green')
    assert.deepEqual(await tallied(id, 3), [['Red'], ['Blue, deep'], ['Green', jid(BEN), jid(EVE)]])
    const record = await find(id)
    assert.deepEqual(JSON.parse(String(record.vote)), [
      { option: 'Red', votes: 0 },
      { option: 'Blue, deep', votes: 0 },
      { option: 'Green', votes: 2 },
    ])
    assert.deepEqual((record.content as { votes: Json[] }).votes.at(-1), {
      option: 'Green',
      voters: [jid(BEN), jid(EVE)],
    })
  })

  it('count the vote of the own phone, and simultaneous votes', async () => {
    const id = await ask(group, 1)
    const votes = await Promise.all([ANA, BEN, EVE].map((phone) => vote(phone, id, ['Red'])))
    for (const one of votes) assert.equal((await told(one)).vote, 'Red')
    assert.equal((await told(votes[0] as string)).fromMe, true)
    assert.deepEqual((await tallied(id, 3))[0]?.toSorted(), [...[ANA, BEN, EVE].map(jid), 'Red'].toSorted())
    for (const phone of [BEN, EVE])
      await eventually(
        () => polled(phone, id),
        (poll) => poll?.options[0]?.voters.length === 3,
      )
  })

  it('of others, and of the own phone, are counted as well', async () => {
    const made = (phone: string, to: string) =>
      world.network<{ id: string }>('POST', `/phones/${phone}/poll`, {
        to,
        question: 'Where?',
        options: ['Sea', 'Town'],
      })
    for (const [maker, voter] of [
      [BEN, EVE],
      [ANA, BEN],
    ] as const) {
      const { id } = await made(maker, group)
      const poll = await told(id)
      assert.deepEqual(
        [poll.messageType, poll.text, poll.convertOptions, poll.fromMe],
        ['poll', 'Where?', 'Sea|Town', maker === ANA],
      )
      assert.equal((await told(await vote(voter, id, ['Town']))).vote, 'Town')
      assert.deepEqual(await tallied(id, 1), [['Sea'], ['Town', jid(voter)]])
    }
  })

  it('of strangers with the id of another message do not change that message', async () => {
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ANA, text: 'mine' })
    await told(id)
    await world.network('POST', `/phones/${EVE}/poll`, { to: ANA, question: 'Mine?', options: ['a', 'b'], id })
    await told(await vote(EVE, id, ['b']))
    assert.deepEqual(await tallied(id, 1), [['a'], ['b', `${EVE}@s.whatsapp.net`]])
    const { messages } = (await ana.call<{ messages: Json[] }>('POST', '/message/find', { id })).body
    const ofBen = messages.find(({ text }) => text === 'mine')
    assert.deepEqual([messages.length, ofBen?.vote, ofBen?.messageType], [2, '', 'text'])
    assert.deepEqual(Object.keys((ofBen?.content ?? {}) as Json).includes('votes'), false)
  })

  it('leave a vote undecrypted if no client makes them', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `option ${index}`)
    for (const options of [many, ['Sea', 'Town', 'Sea'], ['Sea', 'x'.repeat(1_001)]]) {
      const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/poll`, {
        to: ANA,
        question: 'Where?',
        options,
      })
      await told(id)
      const message = await told(await vote(BEN, id, options.slice(0, 1)))
      assert.deepEqual([message.vote, (message.content as Json).selectedOptions], ['', undefined])
      assert.equal((await find(id)).vote, '')
    }
  })

  it('leave a vote undecrypted if they are unknown', async () => {
    const vote = { encPayload: Buffer.alloc(40).toString('base64'), encIv: Buffer.alloc(12).toString('base64') }
    const known = await ask(BEN, 1)
    for (const id of ['3EB0UNKNOWN', known]) {
      const pollUpdateMessage = { pollCreationMessageKey: { id, fromMe: false, remoteJid: jid(ANA) }, vote }
      const sent = await world.network<{ id: string }>('POST', `/phones/${BEN}/message`, {
        to: ANA,
        message: { pollUpdateMessage },
      })
      const message = await told(sent.id)
      assert.deepEqual([message.messageType, message.vote, message.quoted], ['poll', '', id])
    }
    assert.equal((await find(known)).vote, '')
  })

  it('leave no message undecryptable', async () => {
    assert.deepEqual(await world.network('GET', `/phones/${BEN}/failures`), [])
    assert.deepEqual(await world.network('GET', '/log/retries'), [])
  })

  it('are counted with the votes that came before them', async () => {
    await world.network('PATCH', `/phones/${ANA}`, { answerDelayMs: 3_000 })
    const options = ['Sea', 'Town'].map((optionName) => ({ optionName }))
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/message`, {
      to: ANA,
      message: { pollCreationMessageV3: { name: 'Where?', options, selectableOptionsCount: 1 } },
      mark: 'phone',
    })
    const early = await vote(BEN, id, ['Town'])
    assert.equal((await told(early)).vote ?? '', '')
    assert.deepEqual(await tallied(id, 1), [['Sea'], ['Town', jid(BEN)]])
    assert.equal((await find(early)).vote, 'Town')
    await world.network('PATCH', `/phones/${ANA}`, { answerDelayMs: 0 })
  })
})
