import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from './errors.js'
import { readInstant, readSendTime, SEND_AHEAD_MAX_MS } from './send-time.js'

const now = Date.parse('2026-06-01T00:00:00Z')
const iso = (value: string | number, zone?: string) => new Date(readSendTime(value, zone, now).atMs).toISOString()
const refused = (value: string | number, zone: string | undefined, field: string, why: RegExp) =>
  assert.throws(
    () => readSendTime(value, zone, now),
    (error) => {
      assert.ok(error instanceof GatewayError && error.code === 'INVALID_REQUEST', String(error))
      assert.deepEqual((error.details as { field: string }[])[0]?.field, field)
      assert.match(error.message, why)
      return true
    },
    `${value} ${zone}`,
  )

describe('the time of a send', () => {
  it('is read as epoch milliseconds, as RFC 3339, or as a local time of a zone', () => {
    for (const [value, zone, at] of [
      [1_790_000_000_000, undefined, '2026-09-21T14:13:20.000Z'],
      ['1790000000000', undefined, '2026-09-21T14:13:20.000Z'],
      ['2026-07-01T09:00:00-03:00', undefined, '2026-07-01T12:00:00.000Z'],
      ['2026-07-01T09:00:00.1239+0530', undefined, '2026-07-01T03:30:00.123Z'],
      ['2026-07-01 09:00Z', undefined, '2026-07-01T09:00:00.000Z'],
      [' 2026-07-01T09:00:00 ', 'America/Sao_Paulo', '2026-07-01T12:00:00.000Z'],
      ['2026-07-01T09:00', 'asia/kathmandu', '2026-07-01T03:15:00.000Z'],
      ['2027-02-28T23:59:59', 'UTC', '2027-02-28T23:59:59.000Z'],
    ] as const)
      assert.equal(iso(value, zone), at, String(value))
  })

  it('keeps the words of the caller and the name of the zone', () => {
    assert.deepEqual(readSendTime('2026-07-01T09:00', 'america/sao_paulo', now), {
      atMs: Date.parse('2026-07-01T12:00:00Z'),
      asked: '2026-07-01T09:00',
      zone: 'America/Sao_Paulo',
    })
    const both = readSendTime('2026-07-01T09:00Z', 'America/Sao_Paulo', now)
    assert.deepEqual([both.zone, both.warning], ['', 'timezone: send_at has an offset, so it was not used'])
  })

  it('moves a local time that the clocks skip forward, and takes the first of one that exists twice', () => {
    for (const [value, zone, at] of [
      // New York skips 02:00 to 03:00 on 14 March 2027 and repeats 01:00 to 02:00 on 1 November 2026.
      ['2027-03-14T01:59:59', 'America/New_York', '2027-03-14T06:59:59.000Z'],
      ['2027-03-14T02:30:00', 'America/New_York', '2027-03-14T07:30:00.000Z'],
      ['2027-03-14T03:00:00', 'America/New_York', '2027-03-14T07:00:00.000Z'],
      ['2026-11-01T00:59:59', 'America/New_York', '2026-11-01T04:59:59.000Z'],
      ['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
      ['2026-11-01T02:00:00', 'America/New_York', '2026-11-01T07:00:00.000Z'],
      // Lord Howe moves by half an hour.
      ['2026-10-04T02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
      ['2027-04-04T01:45:00', 'Australia/Lord_Howe', '2027-04-03T14:45:00.000Z'],
      // Troll moves by two hours.
      ['2027-03-28T01:30:00', 'Antarctica/Troll', '2027-03-28T01:30:00.000Z'],
    ] as const)
      assert.equal(iso(value, zone), at, `${value} ${zone}`)
    assert.match(readSendTime('2027-03-14T02:30', 'America/New_York', now).warning ?? '', /forward by 60 minutes/)
    assert.equal(readSendTime('2027-03-14T03:30', 'America/New_York', now).warning, undefined)
  })

  it('is refused with the field and the reason', () => {
    for (const value of [-1, 1.5, 1e18, '12.5']) refused(value, undefined, 'send_at', /whole milliseconds/)
    for (const value of [60, 1_790_000_000]) refused(value, undefined, 'send_at', /looks like seconds/)
    for (const value of ['', 'tomorrow', '2026-07-01', '2026-07-01T09', '9:00', '2026-07-01T09:00:00+99:00x'])
      refused(value, undefined, 'send_at', /must be epoch milliseconds, or a time/)
    for (const value of ['2026-02-30T09:00Z', '2026-13-01T09:00Z', '2026-07-01T24:00Z', '2026-07-01T09:60Z'])
      refused(value, undefined, 'send_at', /that exists/)
    refused('2026-07-01T09:00+24:00', undefined, 'send_at', /less than 24 hours/)
    for (const zone of [undefined, '']) refused('2026-07-01T09:00', zone, 'send_at', /needs an offset/)
    for (const zone of ['Mars/Base', '+03:00', 'x'.repeat(100), 'America/', '../etc'])
      refused('2026-07-01T09:00', zone, 'timezone', /IANA name/)
    assert.doesNotThrow(() => readSendTime(now + SEND_AHEAD_MAX_MS, undefined, now))
    refused(now + SEND_AHEAD_MAX_MS + 1, undefined, 'send_at', /at most 366 days/)
  })

  it('may be in the past, which the caller of this decides about', () => {
    assert.equal(iso('2020-01-01T00:00:00Z'), '2020-01-01T00:00:00.000Z')
    assert.equal(readInstant('2999-01-01T00:00:00Z', 'to'), Date.parse('2999-01-01T00:00:00Z'))
    assert.throws(() => readInstant('2026-07-01T09:00', 'from'), /from needs an offset, such as Z or -03:00\./)
  })
})
