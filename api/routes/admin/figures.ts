import type { FiguresReply } from '../../../schemas/generated.js'
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
  async handle(_call, { ports }): Promise<FiguresReply> {
    const { at, instances, minutes, webhooks, sends } = await ports.figures.read()
    const { waiting, oldestWaitingMs, deadLetters, failedAttempts } = webhooks
    return {
      at: at.toISOString(),
      instances: { ...instances },
      minutes: minutes.map((minute) => ({ ...minute, at: minute.at.toISOString() })),
      webhooks: { waiting, oldestWaitingSeconds: Math.round(oldestWaitingMs / 1_000), deadLetters, failedAttempts },
      sends: { ...sends },
    }
  },
})
