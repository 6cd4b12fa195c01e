import type { FiguresReply } from '../../../schemas/generated.js'
import type { MinuteReading, StopReading } from '../../../schemas/ports/readings.js'
import { adminRoute } from '../../route.js'

export const showFigures = adminRoute({
  method: 'GET',
  path: '/admin/figures',
  name: 'showFigures',
  area: 'Cluster',
  isSearch: true,
  summary: 'Show the figures of the last hour of the whole installation',
  schema: 'admin/figures.json',
  errors: [],
  async handle(_call, { ports, options }): Promise<FiguresReply> {
    const [figures, readings] = await Promise.all([ports.figures.read(), ports.readings.read()])
    const { at, instances, minutes, webhooks, sends, troubled } = figures
    const { waiting, oldestWaitingMs, deadLetters, failedAttempts } = webhooks
    return {
      at: at.toISOString(),
      instances: { ...instances },
      minutes: minutes.map((minute) => ({ ...minute, at: minute.at.toISOString() })),
      webhooks: { waiting, oldestWaitingSeconds: Math.round(oldestWaitingMs / 1_000), deadLetters, failedAttempts },
      sends: { ...sends },
      troubled: troubled.map(({ failed, ...owner }) => ({ ...owner, failedSends: failed })),
      nodes: readings.map(({ nodeId: id, incarnation, minutes: told }) => ({
        id,
        incarnation,
        minutes: told?.map(minuteRecord) ?? null,
      })),
      grafanaUrl: options.grafanaUrl,
      retentionDays: options.retentionDays,
    }
  },
})

function minuteRecord({ atMs, lagMs, memoryBytes, commitMs, waitingBytes, stop }: MinuteReading) {
  return {
    at: new Date(atMs).toISOString(),
    lagSeconds: lagMs / 1_000,
    memoryBytes,
    commitSeconds: commitMs / 1_000,
    waitingBytes,
    longestStop: stop === undefined ? null : stopRecord(stop),
  }
}

function stopRecord({ ms, kind, operation, feature = '', instance }: StopReading) {
  return { seconds: ms / 1_000, kind, operation, feature, instance }
}
