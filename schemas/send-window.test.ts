import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from './errors.js'
import { findOpening, msUntilOpen, parseSendWindow, type SendWindowInput } from './send-window.js'
import { instantOfLocal, isTimeZone, localMs } from './time-zone.js'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)

describe('the local time of a zone', () => {
  it('follows the zone through its changes of the clock', () => {
    assert.equal(localMs('America/Sao_Paulo', at('2026-11-23T12:00:00Z')), at('2026-11-23T09:00:00Z'))
    assert.equal(localMs('Europe/Berlin', at('2026-03-29T01:00:00Z')), at('2026-03-29T03:00:00Z'))
    assert.equal(localMs('Asia/Kathmandu', at('2026-01-01T00:00:00.5Z')), at('2026-01-01T05:45:00.5Z'))
  })

  it('moves a time that does not exist forward by the gap', () => {
    assert.equal(instantOfLocal('Europe/Berlin', at('2026-03-29T02:30:00Z')), at('2026-03-29T03:30:00+02:00'))
    assert.equal(instantOfLocal('Pacific/Apia', at('2011-12-30T12:00:00Z')), at('2011-12-31T12:00:00+14:00'))
  })

  it('takes the first of a time that exists twice', () => {
    assert.equal(instantOfLocal('Europe/Berlin', at('2026-10-25T02:30:00Z')), at('2026-10-25T02:30:00+02:00'))
    assert.equal(instantOfLocal('America/New_York', at('2026-11-01T01:30:00Z')), at('2026-11-01T01:30:00-04:00'))
  })

  it('gives back each hour of two years in zones with and without summer time', () => {
    for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Africa/Casablanca']) {
      for (let ms = at('2025-01-01T00:00:00Z'); ms < at('2027-01-01T00:00:00Z'); ms += 31 * HOUR) {
        const back = instantOfLocal(zone, localMs(zone, ms))
        // The second of two equal local times gives the first.
        assert.ok(back === ms || localMs(zone, back) === localMs(zone, ms), `${zone} ${new Date(ms).toISOString()}`)
      }
    }
  })

  it('knows the zones of the IANA database and nothing else', () => {
    assert.ok(['America/Sao_Paulo', 'UTC', 'america/manaus', 'Etc/GMT+3'].every(isTimeZone))
    assert.ok(!['', 'Brazil', '+03:00', 'recipient', 'America/Sao Paulo', `A${'b'.repeat(1000)}`].some(isTimeZone))
  })
})

describe('a window of sending', () => {
  const saoPaulo = (input: SendWindowInput) => parseSendWindow({ timezone: 'America/Sao_Paulo', ...input })

  it('is open from its beginning to its end, without the end', () => {
    const window = saoPaulo({ from: '09:00', to: '18:00' })
    assert.equal(msUntilOpen(window, at('2026-11-23T09:00:00-03:00')), 0)
    assert.equal(msUntilOpen(window, at('2026-11-23T17:59:59.999-03:00')), 0)
    assert.equal(msUntilOpen(window, at('2026-11-23T18:00:00-03:00')), 15 * HOUR)
    assert.equal(msUntilOpen(window, at('2026-11-23T08:59:59.999-03:00')), 1)
  })

  it('waits over days on which it does not open', () => {
    const window = saoPaulo({ days: ['Mon', 'fri'], from: '09:00', to: '18:00' })
    assert.equal(msUntilOpen(window, at('2026-11-23T18:00:00-03:00')), (3 * 24 + 15) * HOUR)
    assert.equal(msUntilOpen(window, at('2026-11-27T12:00:00-03:00')), 0)
  })

  it('belongs to the day on which it opens when it passes midnight', () => {
    const window = saoPaulo({ days: ['fri'], from: '22:00', to: '02:00' })
    assert.equal(msUntilOpen(window, at('2026-11-28T01:59:00-03:00')), 0)
    assert.equal(msUntilOpen(window, at('2026-11-27T01:00:00-03:00')), 21 * HOUR)
    assert.equal(msUntilOpen(window, at('2026-11-28T02:00:00-03:00')), (6 * 24 + 20) * HOUR)
  })

  it('opens at the local hour on the days when the clock changes', () => {
    const berlin = parseSendWindow({ from: '09:00', to: '18:00', timezone: 'Europe/Berlin' })
    assert.equal(msUntilOpen(berlin, at('2026-03-28T18:00:00+01:00')), 14 * HOUR)
    assert.equal(msUntilOpen(berlin, at('2026-10-24T18:00:00+02:00')), 16 * HOUR)
  })

  it('skips a day on which the change of the clock leaves it without length', () => {
    const window = parseSendWindow({ from: '02:10', to: '03:05', timezone: 'Europe/Berlin' })
    assert.equal(
      msUntilOpen(window, at('2026-03-29T01:30:00+01:00')),
      at('2026-03-30T02:10:00+02:00') - at('2026-03-29T01:30:00+01:00'),
    )
  })

  it('uses the zone of the recipient where it is known', () => {
    const window = parseSendWindow({ from: '09:00', to: '18:00', timezone: 'recipient', fallbackTimezone: 'UTC' })
    const noon = at('2026-11-23T12:00:00Z')
    assert.equal(msUntilOpen(window, noon), 0)
    assert.equal(msUntilOpen(window, noon, 'Asia/Tokyo'), 12 * HOUR)
    assert.equal(msUntilOpen(saoPaulo({ from: '09:00', to: '18:00' }), noon, 'Asia/Tokyo'), 0)
  })

  it('can be days alone', () => {
    const window = saoPaulo({ days: ['sat', 'sun'] })
    assert.equal(msUntilOpen(window, at('2026-11-29T23:59:59-03:00')), 0)
    assert.equal(msUntilOpen(window, at('2026-11-30T00:00:00-03:00')), 5 * 24 * HOUR)
  })

  it('is refused with the name of the field', () => {
    for (const [input, field] of [
      [{ from: '09:00', to: '09:00' }, 'window.to'],
      [{ from: '24:00' }, 'window.from'],
      [{ to: '24:01' }, 'window.to'],
      [{ to: '9:00' }, 'window.to'],
      [{ from: '09:60' }, 'window.from'],
      [{ days: [] }, 'window.days'],
      [{ days: ['mon', 'someday'] }, 'window.days[1]'],
      [{ timezone: 'Mars/Olympus' }, 'window.timezone'],
      [{ timezone: 'recipient' }, 'window.fallbackTimezone'],
      [{ timezone: 'recipient', fallbackTimezone: '+03:00' }, 'window.fallbackTimezone'],
    ] as const) {
      assert.throws(
        () => saoPaulo(input),
        (error) => error instanceof GatewayError && JSON.stringify(error.details).includes(`"field":"${field}"`),
        field,
      )
    }
    assert.throws(() => parseSendWindow({ from: '09:00' }), /window\.timezone is missing/)
  })
})

it('tells until when a window stays open or closed, across changes of the clock too', () => {
  const zones = [
    'America/Sao_Paulo',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'UTC',
  ]
  const days = [['mon'], ['sat', 'sun'], undefined] as const
  const hours = [
    ['01:30', '02:45'],
    ['22:00', '03:00'],
    ['00:00', '24:00'],
    ['02:00', '02:01'],
    ['09:00', '18:00'],
  ] as const
  // An odd number of minutes, so that each time of the day is looked at, through two changes of the clock.
  const stepMs = 353 * 60_000
  for (const timezone of zones)
    for (const [index, [from, to]] of hours.entries()) {
      const some = days[index % days.length]
      const window = parseSendWindow({ ...(some === undefined ? {} : { days: some }), from, to, timezone })
      for (let atMs = at('2026-03-20T00:00:00Z'); atMs < at('2026-04-08T00:00:00Z'); atMs += stepMs) {
        const { isOpen, untilMs } = findOpening(window, atMs)
        const what = `${timezone} ${from} ${new Date(atMs).toISOString()}`
        assert.ok(untilMs > atMs, what)
        for (const ms of [atMs, Math.floor((atMs + untilMs) / 2), untilMs - 1])
          assert.equal(msUntilOpen(window, ms) === 0, isOpen, what)
      }
    }
})
