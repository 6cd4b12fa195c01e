import { useId, useState } from 'react'
import type { KeyRecord } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useDeleteKey, useKeyOperations, useKeys } from '../../hooks/use-keys.js'
import { useLanguage, useWords } from '../../words/index.js'
import { useKeysWords } from '../../words/keys/index.js'
import styles from './keys.module.css'
import { LookAs } from './look-as.js'

/** The keys, without what opens anything. */
export function KeyList() {
  const common = useWords()
  const words = useKeysWords()
  const language = useLanguage()
  const titleId = useId()
  const { data, error, refetch } = useKeys()
  const remove = useDeleteKey()
  const [removed, setRemoved] = useState<KeyRecord | null>(null)
  const [looked, setLooked] = useState<KeyRecord | null>(null)
  const [explained, setExplained] = useState<KeyRecord | null>(null)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.keys}</h2>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <p role="status">{common.loading}</p> : null}
      {data?.keys.length === 0 ? <p>{words.noKeys}</p> : null}
      {data === undefined || data.keys.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[words.name, words.begins, words.scopes, words.chat, words.ends, words.actions]}
          rows={data.keys}
          row={(key) => ({
            key: key.id,
            cells: [
              <bdi key="name">{showUnseen(key.name)}</bdi>,
              <code key="prefix">{key.prefix}…</code>,
              key.scopes.map((scope) => words.scope[scope]).join(', '),
              key.chat === '' ? words.allChats : <bdi key="chat">{showUnseen(key.chat)}</bdi>,
              key.expires === null ? words.never : <Moment key="ends" at={key.expires} language={language} />,
              <div key="actions" className={styles.row}>
                <Button aria-label={words.explainOf(showUnseen(key.name))} onClick={() => setExplained(key)}>
                  {words.explain}
                </Button>
                <Button aria-label={words.lookAsOf(showUnseen(key.name))} onClick={() => setLooked(key)}>
                  {words.lookAs}
                </Button>
                <Button look="danger" aria-label={words.deleteOf(showUnseen(key.name))} onClick={() => setRemoved(key)}>
                  {words.delete}
                </Button>
              </div>,
            ],
          })}
        />
      )}
      <Confirm
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        title={words.deleteOf(showUnseen(removed?.name ?? ''))}
        action={words.delete}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => {
          if (removed !== null) remove.mutate(removed.id, { onSuccess: () => setRemoved(null) })
        }}
        call={buildShownCall('deleteKey', { params: { id: removed?.id ?? '' } })}
      >
        <p>{words.deleteHelp}</p>
      </Confirm>
      {looked === null ? null : <LookAs keyRecord={looked} onClose={() => setLooked(null)} />}
      {explained === null ? null : <Explained keyRecord={explained} onClose={() => setExplained(null)} />}
    </Card>
  )
}

/** Operations that the key may call, from the description of the API. */
function Explained({ keyRecord, onClose }: { readonly keyRecord: KeyRecord; readonly onClose: () => void }) {
  const common = useWords()
  const words = useKeysWords()
  const { data, error, refetch } = useKeyOperations(true)
  const allowed = (data ?? []).filter(
    ({ scope, isForOneChat }) => keyRecord.scopes.includes(scope) && (keyRecord.chat === '' || isForOneChat),
  )
  return (
    <Dialog isOpen onClose={onClose} title={words.explainOf(showUnseen(keyRecord.name))}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : (
        <>
          <p>{words.allowed(allowed.length)}</p>
          <ul className={styles.operations}>
            {allowed.map(({ name, summary }) => (
              <li key={name}>
                <code>{name}</code> <span lang="en">{summary}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
