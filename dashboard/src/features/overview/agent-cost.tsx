import { useId } from 'react'
import { TimeChart } from '../../components/charts/time-chart.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { makeNumberFormat } from '../../format/formats.js'
import { useTraffic } from '../../hooks/use-fleet.js'
import { useLanguage, useNumbers } from '../../words/index.js'
import { useOverviewWords } from '../../words/overview.js'
import { SPANS, sumValues } from './traffic.js'

const DAY_MS = 86_400_000

/** What the agents of all accounts cost on each of the last days. Nothing where no agent works. */
export function AgentCost() {
  const words = useOverviewWords()
  const language = useLanguage()
  const number = useNumbers()
  const titleId = useId()
  const { data } = useTraffic(SPANS.week)
  if (data === undefined || data.agents.length === 0) return null
  const today = Math.floor(Date.parse(data.at) / DAY_MS)
  const known = new Map(data.agents.map((one) => [Date.parse(one.day) / DAY_MS, one]))
  const days = Array.from({ length: 7 }, (_, index) => today - 6 + index)
  const money = makeNumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const sum = (name: 'turns' | 'tokens') => number(sumValues(data.agents.map((one) => one[name])))
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.agents}</h2>
      <TimeChart
        title={words.agents}
        times={days.map((day) => toLocalDay(day))}
        series={[{ name: words.agentCost, colour: 5, values: days.map((day) => known.get(day)?.cost ?? 0) }]}
        text={(value) => money.format(value)}
        look="bars"
        stepMs={DAY_MS}
      />
      <p className={layout.muted}>
        {words.turns(sum('turns'), sum('tokens'))} {words.agentsHelp}
      </p>
    </Card>
  )
}

/** Returns the midnight of the reader that has the date of a UTC day, so that a chart shows that date. */
function toLocalDay(day: number): number {
  const date = new Date(day * DAY_MS)
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()).getTime()
}
