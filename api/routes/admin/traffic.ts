import type { TrafficQueryParameters, TrafficReply } from '../../../schemas/generated.js'
import type { TrafficCounts } from '../../../schemas/ports/traffic.js'
import { adminRoute } from '../../route.js'

const DAY_HOURS = 24

export const showTraffic = adminRoute<undefined, TrafficQueryParameters>({
  method: 'GET',
  path: '/admin/figures/traffic',
  name: 'showTraffic',
  area: 'Cluster',
  isSearch: true,
  summary: 'Show the traffic of the last days: messages, deliveries and the cost of agents',
  schema: 'admin/traffic.json',
  errors: [],
  async handle({ query: { hours = DAY_HOURS, stepMinutes, node = null } }, { ports }): Promise<TrafficReply> {
    const minutes = stepMinutes ?? (hours > DAY_HOURS ? 60 : 5)
    const { at, rows, nodes, agents } = await ports.traffic.read({ hours, stepMinutes: minutes, node })
    return {
      at: at.toISOString(),
      hours,
      stepMinutes: minutes,
      rows: rows.map((row) => ({ at: row.at.toISOString(), ...shown(row) })),
      nodes: nodes.map((one) => ({ id: one.id, ...shown(one) })),
      agents: agents.map(({ costMicros, ...day }) => ({ ...day, cost: costMicros / 1e6 })),
    }
  },
})

function shown({ sent, received, failed, delivered, p50Ms, p99Ms }: TrafficCounts) {
  return { sent, received, failed, delivered, p50Seconds: secondsOf(p50Ms), p99Seconds: secondsOf(p99Ms) }
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10_000
}
