/** Lays the minutes of the nodes over the same hour. */
import type { FiguresReply } from '../../../../schemas/generated.js'

export type NodeFigures = NonNullable<FiguresReply['nodes']>[number]
export type MinuteFigures = NonNullable<NodeFigures['minutes']>[number]

const MINUTE_MS = 60_000
const MINUTES = 60

/** Returns the minute with which the hour of all nodes ends: the newest that any of them tells. */
export function lastMinuteOf(nodes: readonly NodeFigures[]): number {
  return Math.max(0, ...nodes.flatMap(({ minutes }) => (minutes ?? []).map(({ at }) => minuteOf(at))))
}

/** Returns the 60 minutes that end with `last`, oldest first; null for each in which the node did not run. */
export function hourOf({ minutes }: NodeFigures, last: number): readonly (MinuteFigures | null)[] {
  const known = new Map((minutes ?? []).map((minute) => [minuteOf(minute.at), minute]))
  return Array.from({ length: MINUTES }, (_, index) => known.get(last - MINUTES + 1 + index) ?? null)
}

function minuteOf(at: string): number {
  return Math.floor(Date.parse(at) / MINUTE_MS)
}
