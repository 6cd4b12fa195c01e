import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { Failure } from '../../components/failure.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useAccountWords } from '../../words/account/index.js'
import { useWords } from '../../words/index.js'
import { useRecordWords } from '../../words/records/index.js'
import { formatJid } from '../conversation/names.js'

/** People that are drawn at once. */
const PAGE = 100

/** People who can neither write to the account nor call it. Keys may read them. */
export function Blocked({ scope }: { readonly scope: Scope }) {
  const common = useWords()
  const words = useAccountWords()
  const records = useRecordWords()
  const titleId = useId()
  const [shown, setShown] = useState(PAGE)
  const { data, error, refetch } = useRead(scope, 'listBlocked', {})
  const unblock = useWrite(scope, 'blockPerson', ['listBlocked'])
  const people = data?.blockList ?? []
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.blocked}</h2>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {unblock.error === null ? null : <Failure error={unblock.error} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : people.length === 0 ? (
        <p role="status">{words.noneBlocked}</p>
      ) : (
        <>
          <p role="status">{words.blockedCount(people.length)}</p>
          <DataTable
            labelledBy={titleId}
            heads={mayConnect() ? [words.person, records.actions] : [words.person]}
            rows={people.slice(0, shown)}
            row={(jid) => {
              const name = showUnseen(formatJid(jid))
              const person = (
                <Link key="person" to="/instances/$id/chats" params={{ id: scope.id }} search={{ chat: jid }}>
                  <bdi>{name}</bdi>
                </Link>
              )
              const action = (
                <Button
                  key="action"
                  aria-label={words.unblockOf(name)}
                  isBusy={unblock.isPending && unblock.variables.body.number === jid}
                  onClick={() => unblock.mutate({ body: { number: jid, block: false } })}
                >
                  {words.unblock}
                </Button>
              )
              return { key: jid, cells: mayConnect() ? [person, action] : [person] }
            }}
          />
          {people.length > shown ? <Button onClick={() => setShown(shown + PAGE)}>{words.more}</Button> : null}
        </>
      )}
    </Card>
  )
}
