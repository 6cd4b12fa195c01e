import { useId, useState } from 'react'
import type { StatusReply } from '../../../schemas/generated.js'
import type { Credential } from '../api/client.js'
import { buildShownCall } from '../api/shown-call.js'
import { Button } from '../components/button.js'
import { Confirm } from '../components/confirm.js'
import { DataTable } from '../components/data-table.js'
import { Failure } from '../components/failure.js'
import { Moment } from '../components/moment.js'
import { Card, Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { ShowCurl } from '../components/show-curl.js'
import { StatusPill } from '../components/status-pill.js'
import { useWasTrue } from '../components/use-was-true.js'
import { Health } from '../features/connection/health.js'
import { StatePicture } from '../features/connection/state-picture.js'
import { FirstMessage } from '../features/first-message/first-message.js'
import { LinkToPair } from '../features/pairing/link-to-pair.js'
import { Pairing } from '../features/pairing/pairing.js'
import { Portrait } from '../features/portrait/portrait.js'
import { showUnseen } from '../format/visible.js'
import {
  mayConnect,
  mayReadAll,
  maySend,
  useConnect,
  useConnections,
  useDisconnect,
  useStopped,
} from '../hooks/use-instance.js'
import { type RecentMessages, useRecentMessages } from '../hooks/use-recent-messages.js'
import { useEnding } from '../hooks/use-sentences.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useLanguage, useWords } from '../words/index.js'
import styles from './instance.module.css'

/** Connection of an instance: its pairing while it has no account; a first message when it is connected; what was before. */
export function Instance() {
  const { id, credential, told, error } = useThisInstance()
  const recent = useRecentMessages()
  return <Known id={id} credential={credential} told={told} error={error} recent={recent} />
}

interface KnownProps {
  readonly id: string
  readonly credential: Credential | undefined
  readonly told: StatusReply
  readonly error: Error | null
  readonly recent: RecentMessages
}

function Known({ id, credential, told, error, recent }: KnownProps) {
  const words = useWords()
  const { instance, status } = told
  const isPaired = status.loggedIn || instance.owner !== ''
  const wasUnpaired = useWasTrue(!isPaired)
  return (
    <>
      <Head id={id} credential={credential} told={told} />
      {error === null ? null : <Failure error={error} />}
      {!mayConnect() && !maySend() ? <Notice>{words.instance.reading}</Notice> : null}
      {isPaired && (status.loggedIn || instance.stopped) ? null : mayConnect() ? (
        <>
          <Pairing id={id} credential={credential} instance={instance} qrEndsAt={status.qrEndsAt} />
          <LinkToPair credential={credential} />
        </>
      ) : (
        <Notice>{words.pair.notAllowed}</Notice>
      )}
      {status.connected && maySend() ? (
        <FirstMessage credential={credential} owner={instance.owner} recent={recent} takesFocus={wasUnpaired} />
      ) : null}
      <StatePicture status={status} />
      {mayReadAll() ? (
        <>
          <Health />
          <Past id={id} credential={credential} />
        </>
      ) : null}
    </>
  )
}

function Head({ id, credential, told: { instance, status } }: Omit<KnownProps, 'error' | 'recent'>) {
  const words = useWords()
  const sayEnding = useEnding()
  const language = useLanguage()
  const connect = useConnect(id, credential)
  const disconnect = useDisconnect(id, credential)
  const stopped = useStopped(id, credential)
  const [isLeaving, setLeaving] = useState(false)
  const failed = connect.error ?? stopped.error
  const shown = instance.stopped
    ? 'startInstance'
    : instance.status === 'disconnected'
      ? 'connectInstance'
      : 'stopInstance'
  return (
    <>
      <PageHeader title={words.pages.connection} about={words.abouts.connection}>
        {mayConnect() && (status.loggedIn || instance.stopped) ? (
          <>
            {instance.stopped ? (
              <Button look="main" isBusy={stopped.isPending} onClick={() => stopped.mutate(false)}>
                {words.instance.start}
              </Button>
            ) : instance.status === 'disconnected' ? (
              <Button look="main" isBusy={connect.isPending} onClick={() => connect.mutate(undefined)}>
                {words.instance.connect}
              </Button>
            ) : (
              <>
                <Button isBusy={stopped.isPending} onClick={() => stopped.mutate(true)}>
                  {words.instance.stop}
                </Button>
                <Button look="danger" onClick={() => setLeaving(true)}>
                  {words.instance.disconnect}
                </Button>
                <Confirm
                  isOpen={isLeaving}
                  onClose={() => setLeaving(false)}
                  title={words.instance.disconnectTitle}
                  action={words.instance.disconnect}
                  isBusy={disconnect.isPending}
                  error={disconnect.error}
                  onConfirm={() => disconnect.mutate(undefined, { onSuccess: () => setLeaving(false) })}
                  call={buildShownCall('disconnectInstance', {})}
                >
                  <p>{words.instance.disconnectHelp}</p>
                </Confirm>
              </>
            )}
            <ShowCurl call={buildShownCall(shown, {})} />
          </>
        ) : null}
      </PageHeader>
      {status.connected ? (
        <p className={styles.account} role="status">
          {mayReadAll() ? <Portrait id={id} credential={credential} /> : null}
          <bdi>
            {words.instance.connectedAs(
              [showUnseen(instance.profileName ?? ''), instance.owner === '' ? '' : `+${instance.owner}`]
                .filter(Boolean)
                .join(', '),
            )}
          </bdi>
        </p>
      ) : instance.lastDisconnectReason ? (
        <p>
          <bdi>{sayEnding(instance.lastDisconnectReason)}</bdi>
        </p>
      ) : null}
      {failed === null ? null : <Failure error={failed} />}
      <p className={styles.facts}>
        <span>
          {words.instance.id} <code>{id}</code>
        </span>
        <span>
          {words.instance.created} <Moment at={instance.created} language={language} />
        </span>
      </p>
    </>
  )
}

function Past({ id, credential }: Pick<KnownProps, 'id' | 'credential'>) {
  const words = useWords()
  const sayEnding = useEnding()
  const language = useLanguage()
  const titleId = useId()
  const { data, error, refetch } = useConnections(id, credential)
  const { when, state, cause, node } = words.instance
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.instance.history}</h2>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data?.connections.length === 0 ? <p>{words.instance.noHistory}</p> : null}
      {data === undefined || data.connections.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[when, state, cause, node]}
          rows={data.connections}
          row={(one) => ({
            key: `${one.at} ${one.state}`,
            cells: [
              <Moment key="at" at={one.at} language={language} />,
              <StatusPill key="state" status={one.status} word={words.status[one.status]} />,
              <bdi key="cause">{sayEnding(one.reason ?? '')}</bdi>,
              one.node,
            ],
          })}
        />
      )}
    </Card>
  )
}
