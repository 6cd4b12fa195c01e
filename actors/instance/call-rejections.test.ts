import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import type { Jid } from '../../schemas/ids.js'
import type { CallSettings } from '../../schemas/instance-settings.js'
import type { SendCommand } from '../../schemas/send-request.js'
import type { CallEvent } from '../network/port/calls.js'
import { CallRejections } from './call-rejections.js'
import type { SendsContext } from './sends/context.js'

function made(settings: Partial<CallSettings>, { isRefused = false, isRestricted = false } = {}) {
  const rejected: string[] = []
  const sent: string[] = []
  const live = {
    calls: {
      async reject({ id }: { id: string }) {
        if (isRefused) throw new Error('404')
        rejected.push(id)
      },
    },
  }
  const context = {
    id: 'i1',
    logger: pino({ level: 'silent' }),
    account: { own: { pn: '15550001111@s.whatsapp.net' } },
    timing: { ackTimeoutMs: 1 },
    reader: { callSettings: async () => JSON.stringify(settings) },
    journal: { write: async () => ({ messages: new Map() }) },
    connection: async () => live,
  } as unknown as SendsContext
  const sends = {
    async send({ number }: SendCommand) {
      sent.push(number)
      return { record: {}, warnings: [] }
    },
  }
  const rejections = new CallRejections(context, sends, () => isRestricted)
  let calls = 0
  const ring = async (from: string, more: Partial<CallEvent> = {}) => {
    calls += 1
    rejections.onCall({
      type: 'call',
      kind: 'CallOffer',
      state: 'ringing',
      id: `C${calls}`,
      from: { pn: `${from}@s.whatsapp.net` as Jid },
      fromJid: `${from}@s.whatsapp.net` as Jid,
      creator: `${from}@s.whatsapp.net` as Jid,
      isVideo: false,
      reason: null,
      platform: '',
      version: '',
      timestampMs: 0,
      data: { tag: 'offer', attributes: {} },
      ...more,
    })
    await setImmediate()
  }
  return { ring, rejected, sent, rejections }
}

const people = { people: { reject: true, text: 'Please write' } }

describe('calls that an instance rejects by itself', () => {
  it('get one text an hour for each caller, however often they ring', async () => {
    const { ring, rejected, sent } = made(people)
    for (const from of ['1', '1', '2', '1']) await ring(from)
    assert.deepEqual([rejected.length, sent], [4, ['1@s.whatsapp.net', '2@s.whatsapp.net']])
  })

  it('of many callers are rejected 30 times a minute and answered 20 times at most an hour', async () => {
    const { ring, rejected, sent } = made(people)
    for (let one = 0; one < 50; one += 1) await ring(String(one))
    assert.deepEqual([rejected.length, sent.length], [30, 20])
  })

  it('are those that the settings name and that ring now', async () => {
    const { ring, rejected, rejections } = made(people)
    await ring('1', { wasQueued: true })
    await ring('1', { state: 'ended', kind: 'CallTerminate' })
    await ring('1', { group: '120363000000000001@g.us' as Jid })
    assert.deepEqual(rejected, [])
    await ring('1', { id: 'SAME' })
    await ring('1', { id: 'SAME' })
    assert.deepEqual(rejected, ['SAME'])
    rejections.use({ people: { reject: false, text: '' }, groups: { reject: true, text: '' } })
    await ring('2')
    await ring('2', { id: 'GROUP', group: '120363000000000001@g.us' as Jid })
    assert.deepEqual(rejected, ['SAME', 'GROUP'])
  })

  it('get no text while the account may not begin chats', async () => {
    const { ring, rejected, sent } = made(people, { isRestricted: true })
    await ring('1')
    assert.deepEqual([rejected.length, sent], [1, []])
  })

  it('get no text when the network does not take the rejection', async () => {
    const { ring, sent } = made(people, { isRefused: true })
    await ring('1')
    assert.deepEqual(sent, [])
  })
})
