import assert from 'node:assert/strict'
import { it } from 'node:test'
import { leavingToday } from './leaving-today.js'
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
