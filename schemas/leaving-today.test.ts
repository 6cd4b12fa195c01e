import assert from 'node:assert/strict'
import { it } from 'node:test'
import { estimateEnd, leavingToday } from './leaving-today.js'
import { parseSendWindow } from './send-window.js'

const NOON_MS = Date.UTC(2026, 4, 4, 12)
const HOUR_MS = 3_600_000
const free = { nowMs: NOON_MS, inUseSinceMs: 0, sendsPerMinute: 0, restUntilMs: null, newChats: null }
const campaign = { count: 100, strangers: 1, startsInMs: 0, pauseMs: 0 }

it('names the one reason that holds most messages back until the next day', () => {
  const midnight = Date.UTC(2026, 4, 5)
  const window = parseSendWindow({ from: '08:00', to: '13:00', timezone: 'UTC' })
  const night = parseSendWindow({ from: '01:00', to: '05:00', timezone: 'UTC' })
  const newChats = { left: 20, hold: null, untilMs: null }
  for (const [given, outlook, expected] of [
    [{}, {}, [100, null, null]],
    [{}, { newChats }, [20, 'new_chat_budget', midnight]],
    [{ strangers: 0.25 }, { newChats }, [95, 'new_chat_budget', midnight]],
    [{ strangers: 0.1 }, { newChats }, [100, null, null]],
    [
      { strangers: 0.5 },
      { newChats: { left: 0, hold: 'reachout_timelock', untilMs: 7 } },
      [50, 'reachout_timelock', 7],
    ],
    [{ dailyCap: 30 }, { newChats: { ...newChats, left: 50 } }, [30, 'daily_cap', null]],
    [{ pauseMs: HOUR_MS }, {}, [13, 'pace', null]],
    [{ pauseMs: HOUR_MS / 10 }, { sendsPerMinute: 1 / 60 }, [13, 'pace', null]],
    [{ pauseMs: HOUR_MS / 10, window }, {}, [11, 'window', null]],
    [{ window: night }, {}, [0, 'window', null]],
    [{ startsInMs: 13 * HOUR_MS }, { newChats }, [0, 'scheduled', midnight + HOUR_MS]],
    [{}, { restUntilMs: midnight + 5 }, [0, 'rate_limit', midnight + 5]],
  ] as const) {
    const today = leavingToday({ ...campaign, ...given }, { ...free, ...outlook })
    const { leaving, waiting, reason, untilMs } = today
    assert.deepEqual([leaving, reason, untilMs], expected, JSON.stringify([given, outlook]))
    assert.equal(leaving + waiting, 100)
  }
})

it('says when the last message leaves: after days, where the new chats of each day are few', () => {
  const DAY_MS = 24 * HOUR_MS
  const night = Date.UTC(2026, 4, 4)
  const newChats = { left: 5, hold: null, untilMs: null, coming: [10, 20, 250] }
  const window = parseSendWindow({ from: '08:00', to: '13:00', timezone: 'UTC' })
  for (const [given, outlook, expected] of [
    [{ pauseMs: 1_000 }, {}, NOON_MS + 99_000],
    [{ pauseMs: 1_000 }, { sendsPerMinute: 1 }, NOON_MS + 99 * 60_000],
    // 5 today, then 10, 20, and the other 65 on the fourth day.
    [{ pauseMs: 1_000 }, { newChats }, night + 3 * DAY_MS + 64_000],
    [{ strangers: 0 }, { newChats }, NOON_MS],
    [{ dailyCap: 30 }, {}, night + 3 * DAY_MS],
    // 2 today until 13:00, 6 on each day after, the last two at 8:00 and 9:00 of the seventeenth.
    [{ pauseMs: HOUR_MS, window }, {}, night + 17 * DAY_MS + 9 * HOUR_MS],
    [{ startsInMs: 2 * DAY_MS }, {}, NOON_MS + 2 * DAY_MS],
    [
      {},
      { newChats: { ...newChats, left: 0, hold: 'reachout_timelock', untilMs: night + 2 * DAY_MS } },
      night + 3 * DAY_MS,
    ],
    [{}, { newChats: { ...newChats, coming: [0] } }, null],
    [{}, { newChats: { left: 5, hold: null, untilMs: null } }, null],
    [{ count: 1 }, { restUntilMs: night + DAY_MS }, night + DAY_MS],
  ] as const) {
    const shown = JSON.stringify([given, outlook])
    assert.equal(estimateEnd({ ...campaign, ...given }, { ...free, ...outlook }), expected, shown)
  }
})
