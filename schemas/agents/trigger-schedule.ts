import { isObject } from '../../lib/is-object.js'
import { isSendWindow } from '../send-window.js'
import { CLOSED_LENGTH_MAX, WINDOWS_MAX } from './limits.js'
import type { TriggerSchedule } from './records.js'

// Bound: 16,384, 1,000 values, the schedule of a trigger.

/** Reads a stored schedule; empty: there is none. Returns undefined if it is not of the form that this program writes. */
export function parseTriggerSchedule(stored: string): TriggerSchedule | null | undefined {
  if (stored === '') return null
  let value: unknown
  try {
    value = JSON.parse(stored)
  } catch {
    return undefined
  }
  const { windows, closedMessage } = isObject(value) ? value : {}
  if (!Array.isArray(windows) || windows.length === 0 || windows.length > WINDOWS_MAX) return undefined
  const areGood = windows.every((window) => isSendWindow(window) && !window.byRecipient)
  if (!areGood || typeof closedMessage !== 'string' || closedMessage.length > CLOSED_LENGTH_MAX) return undefined
  return { windows, closedMessage }
}

export function storedTriggerSchedule(schedule: TriggerSchedule | null): string {
  return schedule === null ? '' : JSON.stringify(schedule)
}
