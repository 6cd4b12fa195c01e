import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SenderKeyRecord } from '@whiskeysockets/baileys/lib/Signal/Group/index.js'
import { renewOutdated } from './signal-keys.js'

const HOUR_MS = 60 * 60_000
const backAtMs = Date.now() - HOUR_MS
const session = (created: number, closed = -1) => ({ indexInfo: { created, closed } })
const openIn = (record: { _sessions: Record<string, ReturnType<typeof session>> }) =>
  Object.entries(record._sessions).flatMap(([name, { indexInfo }]) => (indexInfo.closed === -1 ? [name] : []))

describe('keys of a store that went back in time', () => {
  it('sessions from before that moment encrypt nothing more, and later ones do', () => {
    const record = { _sessions: { former: session(backAtMs - 1), later: session(backAtMs + 1), closed: session(1, 2) } }
    renewOutdated('session', record, backAtMs)
    assert.deepEqual(openIn(record), ['later'])
    assert.equal(record._sessions.closed.indexInfo.closed, 2)
  })

  it('stay as they are if the store never went back', () => {
    const record = { _sessions: { one: session(1) } }
    assert.equal(renewOutdated('session', record, 0), record)
    assert.deepEqual(openIn(record), ['one'])
    assert.equal(renewOutdated('session', null, backAtMs), null)
  })

  it('the own key of a group uses no step twice, and those of others stay as they are', () => {
    const own = new SenderKeyRecord()
    const keys = { public: Buffer.alloc(33, 5), private: Buffer.alloc(32, 7) }
    own.setSenderKeyState(1, 3, Buffer.alloc(32, 1), keys)
    const bytes = Buffer.from(JSON.stringify(own.serialize()))
    const iterationIn = (value: unknown) =>
      SenderKeyRecord.deserialize(value as Buffer)
        .getSenderKeyState()
        ?.getSenderChainKey()
        .getIteration()
    assert.equal(iterationIn(renewOutdated('sender-key', bytes, backAtMs)), 503)
    assert.equal(iterationIn(renewOutdated('sender-key', bytes, Date.now() - 25 * HOUR_MS)), 3)
    const others = new SenderKeyRecord()
    others.addSenderKeyState(1, 3, Buffer.alloc(32, 1), Buffer.alloc(33, 5))
    const ofOthers = Buffer.from(JSON.stringify(others.serialize()))
    assert.equal(iterationIn(renewOutdated('sender-key', ofOthers, backAtMs)), 3)
  })
})
