/** Lays the minutes of the nodes over the same hour. */
import type { FiguresReply } from '../../../../schemas/generated.js'

export type NodeFigures = NonNullable<FiguresReply['nodes']>[number]
export type MinuteFigures = NonNullable<NodeFigures['minutes']>[number]
type LongestStop = NonNullable<MinuteFigures['longestStop']>

const MINUTE_MS = 60_000
const MINUTES = 60

/** Returns the minute with which the hour of all nodes ends: the newest that any of them tells. */
export function findLastMinute(nodes: readonly NodeFigures[]): number {
  return Math.max(0, ...nodes.flatMap(({ minutes }) => (minutes ?? []).map(({ at }) => toMinute(at))))
}

/** Returns the 60 minutes that end with `last`, oldest first; null for each in which the node did not run. */
export function listHour({ minutes }: NodeFigures, last: number): readonly (MinuteFigures | null)[] {
  const known = new Map((minutes ?? []).map((minute) => [toMinute(minute.at), minute]))
  return Array.from({ length: MINUTES }, (_, index) => known.get(last - MINUTES + 1 + index) ?? null)
}

/** Returns the minute with the longest stop of the event loop; undefined if there was none, or the node does not tell. */
export function findLongestStop({ minutes }: NodeFigures): (MinuteFigures & { longestStop: LongestStop }) | undefined {
  let longest: (MinuteFigures & { longestStop: LongestStop }) | undefined
  for (const minute of minutes ?? []) {
    const { longestStop } = minute
    if (!longestStop || longestStop.seconds <= (longest?.longestStop.seconds ?? 0)) continue
    longest = { ...minute, longestStop }
  }
  return longest
}

function toMinute(at: string): number {
  return Math.floor(Date.parse(at) / MINUTE_MS)
}
