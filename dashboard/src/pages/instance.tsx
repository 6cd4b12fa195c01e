import { useParams } from '@tanstack/react-router'
import { useId } from 'react'
import type { StatusReply } from '../../../schemas/generated.js'
import type { Credential } from '../api/client.js'
import { Problem } from '../api/problem.js'
import { Button } from '../components/button.js'
import { Failure } from '../components/failure.js'
import { Moment } from '../components/moment.js'
import { Card, Notice } from '../components/notice.js'
import { StatusPill } from '../components/status-pill.js'
import { FirstMessage } from '../features/first-message/first-message.js'
import { type RecentMessages, useRecentMessages } from '../features/first-message/use-recent-messages.js'
import { Pairing } from '../features/pairing/pairing.js'
import { visible } from '../format/visible.js'
import { useAccess, useRefused } from '../hooks/use-access.js'
import {
  mayConnect,
  maySend,
  useConnect,
  useConnectionEvents,
  useConnections,
  useDisconnect,
  useStatus,
} from '../hooks/use-instance.js'
import { useStream } from '../hooks/use-stream.js'
import { useLanguage, useWords } from '../words/index.js'
import styles from './instance.module.css'

/** One instance: its state, live; its pairing while it has no account; a first message when it is connected. */
export function Instance() {
  const { id } = useParams({ from: '/instances/$id' })
  return <OneInstance key={id} id={id} />
}

function OneInstance({ id }: { readonly id: string }) {
  const words = useWords()
  const access = useAccess(id)
  const { credential } = access
  const status = useStatus(id, credential)
  const recent = useRecentMessages()
  const onConnection = useConnectionEvents(id)
  const onRefused = useRefused(id)
  // One stream for the whole page: browsers have few connections for one host.
  useStream(credential, 'connection,messages,messages_update', {
    onOpen: () => void status.refetch(),
    onEvent: (event) => {
      if (event.EventType === 'connection') onConnection(event)
      else recent.onEvent(event)
    },
    onRefused,
  })

  if (access.error !== null)
    return access.error instanceof Problem && access.error.status === 404 ? (
      <Notice>{words.instance.unknown}</Notice>
    ) : (
      <Failure error={access.error} onRetry={access.retry} />
    )
  if (status.data === undefined)
    return status.error === null ? (
      <p role="status">{words.loading}</p>
    ) : (
      <Failure error={status.error} onRetry={() => void status.refetch()} />
    )
  return <Known id={id} credential={credential} told={status.data} error={status.error} recent={recent} />
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
  return (
    <>
      <Head id={id} credential={credential} told={told} />
      {error === null ? null : <Failure error={error} />}
      {!mayConnect() && !maySend() ? <Notice>{words.instance.reading}</Notice> : null}
      {isPaired && status.loggedIn ? null : mayConnect() ? (
        <Pairing id={id} credential={credential} instance={instance} qrEndsAt={status.qrEndsAt} />
      ) : (
        <Notice>{words.pair.notAllowed}</Notice>
      )}
      {status.connected && maySend() ? (
        <FirstMessage credential={credential} owner={instance.owner} recent={recent} />
      ) : null}
      <Past id={id} credential={credential} />
    </>
  )
}

function Head({ id, credential, told: { instance, status } }: Omit<KnownProps, 'error' | 'recent'>) {
  const words = useWords()
  const language = useLanguage()
  const connect = useConnect(id, credential)
  const disconnect = useDisconnect(id, credential)
  const failed = connect.error ?? disconnect.error
  return (
    <>
      <div className={styles.head}>
        <h1>
          <bdi>{visible(instance.name)}</bdi>
        </h1>
        <span role="status">
          <StatusPill status={instance.status} word={words.status[instance.status]} />
        </span>
        {mayConnect() && status.loggedIn ? (
          <div className={styles.actions}>
            {instance.status === 'disconnected' ? (
              <Button look="main" isBusy={connect.isPending} onClick={() => connect.mutate(undefined)}>
                {words.instance.connect}
              </Button>
            ) : (
              <Button look="danger" isBusy={disconnect.isPending} onClick={() => disconnect.mutate()}>
                {words.instance.disconnect}
              </Button>
            )}
          </div>
        ) : null}
      </div>
      {status.connected ? (
        <p role="status">
          <bdi>
            {words.instance.connectedAs(
              [visible(instance.profileName ?? ''), instance.owner === '' ? '' : `+${instance.owner}`]
                .filter(Boolean)
                .join(', '),
            )}
          </bdi>
        </p>
      ) : instance.lastDisconnectReason ? (
        <p>
          <bdi>{visible(instance.lastDisconnectReason)}</bdi>
        </p>
      ) : null}
      {status.nextAttemptAt === null ? null : (
        <p>
          {words.instance.nextAttempt(status.attempt + 1)} <Moment at={status.nextAttemptAt} language={language} />
        </p>
      )}
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys.
        <section className={styles.past} tabIndex={0} aria-labelledby={titleId}>
          <table>
            <thead>
              <tr>
                {[when, state, cause, node].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.connections.map((one) => (
                <tr key={`${one.at} ${one.state}`}>
                  <td>
                    <Moment at={one.at} language={language} />
                  </td>
                  <td>
                    <StatusPill status={one.status} word={words.status[one.status]} />
                  </td>
                  <td>
                    <bdi>{visible(one.reason ?? '')}</bdi>
                  </td>
                  <td>{one.node}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}
