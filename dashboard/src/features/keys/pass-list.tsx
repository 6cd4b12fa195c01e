import { useId, useState } from 'react'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Failure } from '../../components/failure.js'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useEndPasses, useKeys, useOwnPass, usePasses } from '../../hooks/use-keys.js'
import { useLanguage, useWords } from '../../words/index.js'
import { useKeysWords } from '../../words/keys/index.js'
import styles from './keys.module.css'

/** People who are signed in to the instance now, and the buttons that end their passes. */
export function PassList() {
  const common = useWords()
  const words = useKeysWords()
  const language = useLanguage()
  const titleId = useId()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePasses()
  const { data: own } = useOwnPass()
  const { data: keys } = useKeys()
  const end = useEndPasses()
  const [ended, setEnded] = useState<readonly string[] | null>(null)
  const passes = data?.pages.flatMap((page) => page.passes) ?? []
  const others = passes.filter(({ id }) => id !== own).map(({ id }) => id)
  const getName = (actor: string) => showUnseen(keys?.keys.find(({ id }) => id === actor)?.name ?? actor)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.passes}</h2>
      <p>{words.passesHelp}</p>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && passes.length === 0 ? <p>{words.noPasses}</p> : null}
      {passes.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[words.signedInWith, words.since, words.endsLatest, words.actions]}
          rows={passes}
          row={(pass) => ({
            key: pass.id,
            cells: [
              <span key="who">
                {words.openedBy[pass.openedBy]} {pass.openedBy === 'admin' ? '' : <bdi>{getName(pass.actor)}</bdi>}
                {pass.id === own ? ` (${words.you})` : ''}
                {pass.isCode ? ` (${words.unusedLink})` : ''}
              </span>,
              <Moment key="since" at={pass.created} language={language} />,
              <Moment key="ends" at={pass.ends} language={language} />,
              pass.id === own ? (
                ''
              ) : (
                <Button key="end" aria-label={words.endOf(getName(pass.actor))} onClick={() => setEnded([pass.id])}>
                  {words.end}
                </Button>
              ),
            ],
          })}
        />
      )}
      <div className={styles.row}>
        {hasNextPage ? (
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.more}
          </Button>
        ) : null}
        {others.length < 2 ? null : (
          <Button look="danger" onClick={() => setEnded(others)}>
            {words.endAll}
          </Button>
        )}
      </div>
      <Confirm
        isOpen={ended !== null}
        onClose={() => setEnded(null)}
        title={words.endTitle(ended?.length ?? 0)}
        action={words.end}
        isBusy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate(ended ?? [], { onSuccess: () => setEnded(null) })}
        call={buildShownCall('endListedPass', { params: { id: ended?.[0] ?? '' } })}
      >
        <p>{words.endHelp}</p>
      </Confirm>
      {data === undefined && error === null ? <p role="status">{common.loading}</p> : null}
    </Card>
  )
}
