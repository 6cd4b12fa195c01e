import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { connectDatabase } from '../support/statements.js'

type Json = Record<string, unknown>
interface Frame {
  readonly direction: 'in' | 'out'
  readonly device: string
  readonly tag: string
  readonly id: string | undefined
  readonly class: string | undefined
  readonly type: string | undefined
  readonly error: string | undefined
  readonly child: string | undefined
}

const [ANA, BEN, KIM] = ['15550740001', '15550740002', '15550740003']
const STATUS = 'status@broadcast'

describe('each stanza of the network gets one right acknowledgement:', () => {
  const { world, account: ana } = gatewaySuite({
    env: { RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '300' },
    phones: { [BEN]: 'Ben', [KIM]: { name: 'Kim', addressing: 'lid' } },
    account: [ANA, 'Ana'],
  })
  const network = <T = Json>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)
  const pending = async () => {
    const { devices } = await network<{ devices: { id: number; pending: number }[] }>('GET', `/phones/${ANA}`)
    return devices.find(({ id }) => id === 1)?.pending
  }
  const settled = () => eventually(pending, (count) => count === 0)
  const frames = async (id: string) =>
    (await network<Frame[]>('GET', `/log/frames?device=${ANA}:1&direction=in&limit=20000`)).filter(
      (frame) => frame.id === id,
    )
  const answers = async (id: string) =>
    (await frames(id)).map((frame) => [frame.tag, frame.class, frame.type ?? frame.child, frame.error])
  const logins = async () =>
    (await network<{ device: string; end: string | null }[]>('GET', `/log/logins?phone=${ANA}`)).filter(
      ({ device }) => device === `${ANA}:1`,
    )
  const deliver = async (tag: string, attrs: Record<string, string>, content?: unknown) =>
    await network('POST', '/faults/stanza', { phone: ANA, device: 1, stanza: { tag, attrs, content } })
  const post = async (text: string, { by = BEN, ...more }: Json & { by?: string } = {}) =>
    (await network<{ id: string }>('POST', `/phones/${by}/status`, { to: [ANA], text, ...more })).id
  const statusPosts = () => ana.messages({ chatid: STATUS })
  const shows = (text: string) =>
    eventually(statusPosts, (messages) => messages.some((message) => message.text === text))

  afterEach(async () => {
    await network('POST', '/acknowledgements', {})
    const problems = await network<Json[]>('GET', `/acknowledgements/problems?phone=${ANA}`)
    assert.deepEqual(problems, [])
  })

  it('a status post that arrives as a stanza of its own is a message, and its receipt says so', async () => {
    const id = await post('seen as a stanza')
    const [message] = (await shows('seen as a stanza')).filter(({ text }) => text === 'seen as a stanza')
    assert.deepEqual([message?.chatid, message?.sender_pn], [STATUS, `${BEN}@s.whatsapp.net`])
    await settled()
    assert.deepEqual(await answers(id), [['receipt', 'status', 'inactive', undefined]])
    const former = await post('seen as a message', { form: 'message' })
    await shows('seen as a message')
    await settled()
    assert.deepEqual(await answers(former), [['receipt', undefined, 'inactive', undefined]])
  })

  for (const form of ['status', 'message'] as const)
    it(`a status post as a ${form} that cannot be read is acknowledged without an error, and withholds nothing`, async () => {
      const id = await post('nobody can read this', { by: KIM, form, keepsKey: true })
      await settled()
      const acks = (await answers(id)).filter(([tag]) => tag === 'ack')
      assert.deepEqual(acks, [['ack', form, 'text', undefined]])
      const { messageid } = await ana.text(BEN, 'still connected')
      await world.shownAt(BEN, messageid)
      const next = await world.write(BEN, ANA, `after the ${form}`)
      await eventually(
        () => ana.messages({ id: next }),
        ([message]) => message?.text === `after the ${form}`,
      )
    })

  it('calls are acknowledged by a receipt or by their type, with and without an id', async () => {
    const from = `${BEN}@s.whatsapp.net`
    const call = (id: string, tag: string, more: Record<string, string> = {}) =>
      deliver('call', { ...(id === '' ? {} : { id }), from, t: String(Math.floor(Date.now() / 1000)) }, [
        { tag, attrs: { 'call-id': `CALL-${tag}`, 'call-creator': from, ...more } },
      ])
    for (const tag of ['offer', 'accept', 'reject', 'enc_rekey', 'terminate', 'transport', 'relaylatency'])
      await call(`call-${tag}`, tag)
    await settled()
    for (const tag of ['offer', 'accept', 'reject', 'enc_rekey'])
      assert.deepEqual(await answers(`call-${tag}`), [['receipt', undefined, tag, undefined]])
    for (const tag of ['terminate', 'transport', 'relaylatency'])
      assert.deepEqual(await answers(`call-${tag}`), [['ack', 'call', tag, undefined]])
    const former = (await logins()).length
    await call('', 'terminate')
    await ana.text(BEN, 'after a call without an id')
    assert.equal((await logins()).length, former)
  })

  it('notifications repeat the type, but not of keys and devices, and a notice of new keys disturbs nothing', async () => {
    const server = '@s.whatsapp.net'
    const notice = (id: string, type: string, content?: unknown) =>
      deliver('notification', { id, from: server, type, t: '1' }, content)
    await notice('notice-pq', 'encrypt', [{ tag: 'pq_count', attrs: { value: '3' } }])
    await notice('notice-count', 'encrypt', [{ tag: 'count', attrs: { value: '100' } }])
    await notice('notice-devices', 'devices')
    await notice('notice-other', 'something:new')
    await settled()
    assert.deepEqual(await answers('notice-pq'), [['ack', 'notification', undefined, undefined]])
    assert.deepEqual(await answers('notice-count'), [['ack', 'notification', undefined, undefined]])
    assert.deepEqual(await answers('notice-devices'), [['ack', 'notification', undefined, undefined]])
    assert.deepEqual(await answers('notice-other'), [['ack', 'notification', 'something:new', undefined]])
  })

  it('recipients are repeated, and the participant of a receipt only where it is another one', async () => {
    const from = `${BEN}@s.whatsapp.net`
    await deliver('receipt', { id: 'receipt-1', from, participant: from, type: 'read', t: '1' })
    await deliver('receipt', { id: 'receipt-2', from, recipient: `${KIM}@s.whatsapp.net`, type: 'read', t: '1' })
    await deliver('notification', { id: 'notice-r', from, recipient: `${ANA}@s.whatsapp.net`, type: 'picture', t: '1' })
    await settled()
    for (const id of ['receipt-1', 'receipt-2', 'notice-r']) assert.equal((await answers(id)).length, 1)
  })

  it('stanzas of unknown kinds are refused with 488, however many come', async () => {
    const former = (await logins()).length
    for (let index = 0; index < 300; index += 1)
      await deliver(`novelty-${index % 40}`, { id: `novelty-${index}`, from: '@s.whatsapp.net', t: '1' })
    await settled()
    assert.deepEqual(await answers('novelty-0'), [['ack', 'novelty-0', undefined, '488']])
    assert.equal((await logins()).length, former)
    const text = await (await fetch(`${world.gateway.url}/metrics`)).text()
    assert.match(text, /^posthorn_unknown_stanzas_total(\{[^}]*\})? 300$/m)
  })

  it('data of the account is decrypted like a message, and acknowledged as what it is', async () => {
    const { id } = await network<{ id: string }>('POST', `/phones/${ANA}/app-data`, {
      message: { protocolMessage: { type: 'APP_STATE_SYNC_KEY_REQUEST', appStateSyncKeyRequest: {} } },
    })
    await settled()
    const given = await answers(id)
    assert.deepEqual(
      given.filter(([tag]) => tag === 'ack'),
      [['ack', 'appdata', 'text', undefined]],
    )
    assert.ok(!given.some(([, , type]) => type === 'retry'), 'it was read')
  })

  it('nothing is acknowledged while the store refuses it, and all of it once it is stored', async (t) => {
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    await database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON message FOR EACH ROW EXECUTE FUNCTION refuse()`)
    const former = (await logins()).length
    const id = await post('stored late')
    await eventually(logins, (all) => all.length >= former + 2)
    assert.deepEqual(await answers(id), [])
    await database.query('DROP TRIGGER refuse ON message')
    await shows('stored late')
    await settled()
    assert.deepEqual(await answers(id), [['receipt', 'status', 'inactive', undefined]])
    await ana.connected()
  })

  it('what was not acknowledged in time is delivered again, and the next connection acknowledges it', async () => {
    const former = (await logins()).length
    await network('POST', '/acknowledgements', { deadlineMs: 1_500 })
    await network('POST', '/faults', { kind: 'lose-acks', phone: ANA, times: 1 })
    await deliver('notification', { id: 'notice-lost', from: '@s.whatsapp.net', type: 'something:new', t: '1' })
    const ended = await eventually(logins, (all) => all.length > former)
    await network('POST', '/acknowledgements', {})
    assert.equal(ended[former - 1]?.end, 'notification not acknowledged')
    await ana.connected()
    await settled()
    assert.ok((await answers('notice-lost')).length >= 2)
  })

  it('the LID of a person is looked up again when the network says that it is an old one', async () => {
    await network('POST', '/faults', { kind: 'refresh-lid', phone: ANA, recipient: BEN, times: 1 })
    const questions = async () =>
      (await network<Frame[]>('GET', `/log/frames?device=${ANA}:1&direction=in&tag=iq&limit=20000`)).filter(
        ({ child }) => child === 'usync',
      ).length
    const former = await questions()
    await ana.text(BEN, 'to an old LID')
    await eventually(questions, (count) => count > former)
  })

  it('the end of the client version is said in the log, and ends nothing', async () => {
    const former = (await logins()).length
    await deliver('ib', { from: '@s.whatsapp.net' }, [{ tag: 'client_expiration', attrs: { t: '1799999999' } }])
    await ana.text(BEN, 'after the notice of the end')
    assert.equal((await logins()).length, former)
    await eventually(() => world.gateway.output().includes('"expiresAt":"2027-01-15T07:59:59.000Z"'))
  })
})
