import type { ChangeInstancesReply } from '../../../../schemas/generated.js'
import { Notice } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useFoundNames } from '../../hooks/use-bulk.js'
import { useBulkWords } from '../../words/bulk/index.js'
import { useNumbers } from '../../words/index.js'
import styles from './instances.module.css'

const NAMED_MAX = 10

interface SelectionChangedProps {
  readonly before: ChangeInstancesReply
  readonly now: ChangeInstancesReply
}

/** Names the instances by which two countings differ, if the gateway listed all of both. */
export function SelectionChanged({ before, now }: SelectionChangedProps) {
  const words = useBulkWords()
  const isListed = [before, now].every(({ ids, count }) => ids.length === count)
  return (
    <Notice look="busy">
      <p role="status">{words.changed}</p>
      {isListed ? (
        <>
          <Names title={words.left} ids={before.ids.filter((id) => !now.ids.includes(id))} />
          <Names title={words.joined} ids={now.ids.filter((id) => !before.ids.includes(id))} />
        </>
      ) : null}
    </Notice>
  )
}

function Names({ title, ids }: { readonly title: string; readonly ids: readonly string[] }) {
  const words = useBulkWords()
  const number = useNumbers()
  const shown = ids.slice(0, NAMED_MAX)
  const { data: names } = useFoundNames(shown)
  if (ids.length === 0) return null
  return (
    <>
      <p>{title}</p>
      <ul className={styles.sample}>
        {shown.map((id) => (
          <li key={id}>
            <bdi>{showUnseen(names?.[id] ?? id)}</bdi>
          </li>
        ))}
        {ids.length > NAMED_MAX ? <li>{words.andMore(number(ids.length - NAMED_MAX))}</li> : null}
      </ul>
    </>
  )
}
