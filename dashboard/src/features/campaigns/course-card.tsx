import { useId } from 'react'
import type { CampaignFolder } from '../../../../schemas/generated.js'
import { Bars } from '../../components/charts/bars.js'
import { Funnel } from '../../components/charts/funnel.js'
import { TimeChart } from '../../components/charts/time-chart.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { useCampaignCourse } from '../../hooks/use-campaigns.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useCourseWords } from '../../words/campaign-course.js'
import { useNumbers } from '../../words/index.js'
import { makeCurve } from './course.js'
import { Ending } from './outlook.js'

const COLOURS = { failed: 3, skipped: 8, parked: 4 } as const

/** A campaign as pictures: how many came how far, when, and why others got nothing. */
export function CourseCard({ folder }: { readonly folder: CampaignFolder }) {
  const words = useCourseWords()
  const number = useNumbers()
  const [funnelId, courseId, reasonsId] = [useId(), useId(), useId()]
  const { id, credential } = useThisInstance()
  const { data, error, refetch } = useCampaignCourse(id, credential, folder.id)
  const { log_total: total, log_sucess: sent, log_delivered: delivered, log_read: read, log_replied: replied } = folder
  const curve = data === undefined ? null : makeCurve(data, total - folder.log_failed - folder.log_skipped)
  return (
    <>
      <Card labelledBy={funnelId}>
        <h2 id={funnelId}>{words.funnel}</h2>
        <Funnel
          labelledBy={funnelId}
          steps={[
            { name: words.queued, count: total },
            { name: words.sent, count: sent },
            { name: words.delivered, count: delivered },
            { name: words.read, count: read },
            { name: words.replied, count: replied },
          ]}
        />
      </Card>
      <Card labelledBy={courseId}>
        <h2 id={courseId}>{words.course}</h2>
        {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
        {curve === null ? null : curve.times.length === 0 ? (
          <p className={layout.muted}>{words.notBegun}</p>
        ) : (
          <TimeChart
            title={words.course}
            times={curve.times}
            series={[
              { name: words.sent, colour: 1, values: curve.sent },
              { name: words.replied, colour: 2, values: curve.replied },
              { name: words.failed, colour: 3, values: curve.failed },
              ...(curve.forecast.some((value) => value !== null)
                ? [{ name: words.forecast, colour: 1, values: curve.forecast, isEstimate: true }]
                : []),
            ]}
            text={number}
            isWhole
          />
        )}
        <Ending ends={data?.ends ?? null} />
      </Card>
      {data === undefined || data.reasons.length === 0 ? null : (
        <Card labelledBy={reasonsId}>
          <h2 id={reasonsId}>{words.reasons}</h2>
          <Bars
            labelledBy={reasonsId}
            bars={data.reasons.map(({ state, reason, count }) => ({
              key: `${state} ${reason}`,
              name: words.sentences[reason] ?? words.other,
              value: count,
              text: `${number(count)} ${words.reasonStates[state]}`,
              colour: COLOURS[state],
            }))}
          />
        </Card>
      )}
    </>
  )
}
