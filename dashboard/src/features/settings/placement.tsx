import { useId } from 'react'
import { Failure } from '../../components/failure.js'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { usePlacement } from '../../hooks/use-settings.js'
import { useLanguage, useWords } from '../../words/index.js'
import { useSettingsWords } from '../../words/settings/index.js'
import { Facts } from './facts.js'

/** The node that holds an instance, for administrators. */
export function Placement({ id }: { readonly id: string }) {
  const common = useWords()
  const words = useSettingsWords()
  const language = useLanguage()
  const titleId = useId()
  const { data, error, refetch } = usePlacement(id)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.placement}</h2>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : (
        <Facts
          facts={[
            [common.instance.node, data.node ?? words.noNode],
            [words.shard, data.shard],
            [words.epoch, data.epoch],
            [words.since, <Moment key="since" at={data.since} language={language} />],
          ]}
        />
      )}
    </Card>
  )
}
