import { useEffect, useId, useState } from 'react'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { maySend } from '../../hooks/use-instance.js'
import type { Scope } from '../../hooks/use-operation.js'
import { usePastCalls } from '../../hooks/use-past-calls.js'
import { useCallWords } from '../../words/calls.js'
import { useLanguage, useWords } from '../../words/index.js'
import { CallLink } from './call-link.js'
import { RingForm } from './ring-form.js'

/** The last calls of the account, and buttons that ring somebody and make a link. */
export function CallList({ scope }: { readonly scope: Scope }) {
  const common = useWords()
  const words = useCallWords()
  const language = useLanguage()
  const titleId = useId()
  const [open, setOpen] = useState<'ring' | 'link'>()
  const { data: calls, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = usePastCalls(scope)
  // The stored events begin with the oldest.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && error === null) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, error, fetchNextPage])
  const close = () => setOpen(undefined)
  return (
    <Card labelledBy={titleId}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={titleId}>{words.title}</h2>
        {maySend() ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('link')}>{words.link}</Button>
            <Button look="main" onClick={() => setOpen('ring')}>
              {words.ring}
            </Button>
          </div>
        ) : null}
      </div>
      <p className="text-muted">{words.help}</p>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && (calls === undefined || hasNextPage) ? <p role="status">{common.loading}</p> : null}
      {calls?.length === 0 && !hasNextPage ? <p>{words.none}</p> : null}
      {calls === undefined || calls.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[words.who, words.kind, words.state, words.at]}
          rows={calls}
          row={({ id, with: who, isOutgoing, isVideo, state, atMs }) => ({
            key: id,
            cells: [
              <bdi key="who">{showUnseen(who.replace(/@s\.whatsapp\.net$/, ''))}</bdi>,
              `${isOutgoing ? words.outgoing : words.incoming}, ${isVideo ? words.video : words.voice}`,
              words.states[state] ?? state,
              <Moment key="at" at={new Date(atMs).toISOString()} language={language} />,
            ],
          })}
        />
      )}
      <Dialog isOpen={open === 'ring'} onClose={close} title={words.ring}>
        <RingForm scope={scope} onClose={close} />
      </Dialog>
      <Dialog isOpen={open === 'link'} onClose={close} title={words.link}>
        <CallLink scope={scope} onClose={close} />
      </Dialog>
    </Card>
  )
}
