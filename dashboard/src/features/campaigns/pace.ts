/** When and how fast a campaign sends. */

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof DAYS)[number]

export interface Pace {
  readonly folder: string
  readonly delayMin: string
  readonly delayMax: string
  /** Local time of the reader; empty: at once. */
  readonly start: string
  readonly hasWindow: boolean
  readonly from: string
  readonly to: string
  readonly days: readonly Day[]
  readonly timezone: string
  readonly dailyCap: string
  readonly recentDays: string
  /** Messages of campaigns that a person gets at most within `frequencyDays`; empty: no limit. */
  readonly frequency: string
  readonly frequencyDays: string
  /** Share of the turns among campaigns at once; empty: that of the gateway. */
  readonly weight: string
  /** Refused messages in percent at which it pauses; empty: that of the gateway. */
  readonly errorRateMax: string
}

export function makePace(timezone: string): Pace {
  return {
    folder: '',
    delayMin: '10',
    delayMax: '30',
    start: '',
    hasWindow: false,
    from: '09:00',
    to: '18:00',
    days: DAYS,
    timezone,
    dailyCap: '',
    recentDays: '',
    frequency: '',
    frequencyDays: '7',
    weight: '',
    errorRateMax: '',
  }
}

/** Returns the fields of the call. */
export function makePaceFields(pace: Pace): Readonly<Record<string, unknown>> {
  const { folder, delayMin, delayMax, start, hasWindow, from, to, days, timezone, dailyCap, recentDays } = pace
  const { frequency, frequencyDays, weight, errorRateMax } = pace
  return {
    ...(folder.trim() === '' ? {} : { folder: folder.trim() }),
    delayMin: Number(delayMin),
    delayMax: Number(delayMax),
    ...(start === '' ? {} : { scheduled_for: new Date(start).getTime() }),
    ...(hasWindow ? { window: { ...(days.length === DAYS.length ? {} : { days }), from, to, timezone } } : {}),
    ...(dailyCap === '' ? {} : { dailyCap: Number(dailyCap), timezone }),
    ...(recentDays === '' ? {} : { skipRecentDays: Number(recentDays) }),
    ...(frequency === '' ? {} : { frequencyCap: { messages: Number(frequency), days: Number(frequencyDays) } }),
    ...(weight === '' ? {} : { weight: Number(weight) }),
    ...(errorRateMax === '' ? {} : { errorRateMax: Number(errorRateMax) }),
  }
}

/** Returns the time that the pauses take, without closed hours and the maximum of a day. */
export function estimateMs({ delayMin, delayMax }: Pace, count: number): number {
  return ((Number(delayMin) + Math.max(Number(delayMin), Number(delayMax))) / 2) * 1_000 * Math.max(0, count - 1)
}
