import { useState } from 'react'
import type { Webhook } from '../../../../schemas/generated.js'
import { buildShownCall, type ShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { Copyable } from '../../components/copyable.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Card, Notice } from '../../components/notice.js'
import { RowGuard } from '../../components/row-guard.js'
import { ShowCurl } from '../../components/show-curl.js'
import { showUnseen } from '../../format/visible.js'
import { useSetWebhook, useTestWebhook, type WebhookOwner } from '../../hooks/use-webhooks.js'
import { useLanguage, useWords } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { EndpointForm } from './endpoint-form.js'
import { ReceiverState } from './receiver-state.js'

interface EndpointsProps {
  readonly owner: WebhookOwner
  readonly webhooks: readonly Webhook[]
}

/** Webhooks with what they deliver; made, changed, tried and deleted here. */
export function Endpoints({ owner, webhooks }: EndpointsProps) {
  const words = useWords()
  const hook = useWebhookWords()
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | undefined>(undefined)
  const mayAdd = !owner.isGlobal || webhooks.length === 0

  function added(all: readonly Webhook[]): void {
    setAdding(false)
    setSecret(all.find((one) => one.secret !== undefined)?.secret)
  }

  return (
    <>
      {secret === undefined ? null : <NewSecret secret={secret} onClose={() => setSecret(undefined)} />}
      {webhooks.length > 0 ? null : (
        <Card>
          <h2>{hook.none}</h2>
          <p>{hook.noneHelp}</p>
        </Card>
      )}
      {mayAdd ? (
        <div>
          <Button look="main" onClick={() => setAdding(true)}>
            {hook.add}
          </Button>
        </div>
      ) : null}
      <Dialog isOpen={isAdding} onClose={() => setAdding(false)} title={hook.add}>
        <EndpointForm owner={owner} onDone={added} onCancel={() => setAdding(false)} />
      </Dialog>
      {webhooks.map((webhook) => (
        <RowGuard key={webhook.id} record={webhook} instead={<Card>{words.brokenRow}</Card>}>
          <Endpoint owner={owner} webhook={webhook} />
        </RowGuard>
      ))}
    </>
  )
}

function NewSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const words = useWords()
  const hook = useWebhookWords()
  return (
    <Dialog isOpen onClose={onClose} title={hook.secretTitle}>
      <p>{hook.secretHelp}</p>
      <Copyable text={secret} copy={words.copy} copied={words.copied} />
    </Dialog>
  )
}

function Endpoint({ owner, webhook }: { readonly owner: WebhookOwner; readonly webhook: Webhook }) {
  const hook = useWebhookWords()
  const language = useLanguage()
  const test = useTestWebhook(owner)
  const [isEditing, setEditing] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const { id, url, enabled, events, excludeMessages, updated } = webhook
  const unknown = (webhook.warnings ?? []).length > 0
  const titleId = `webhook-${id}`
  return (
    <Card labelledBy={titleId}>
      <div className={layout.head}>
        <h2 id={titleId}>
          <bdi>{showUnseen(url)}</bdi>
        </h2>
        <span className={`${layout.tag} ${enabled ? layout.good : ''}`}>{enabled ? hook.on : hook.off}</span>
      </div>
      <p>{events.join(', ')}</p>
      {unknown ? <p className={layout.muted}>{hook.unknownEvents}</p> : null}
      {excludeMessages.length === 0 ? null : (
        <p>
          {hook.filters}: {excludeMessages.map((name) => hook.filterWords[name] ?? name).join(', ')}
        </p>
      )}
      <ReceiverState owner={owner} webhook={webhook} />
      <p className={layout.muted}>
        {hook.changed} <Moment at={updated} language={language} /> · <code>{id}</code>
      </p>
      <div className={layout.row}>
        <Button isBusy={test.isPending} onClick={() => test.mutate(id)}>
          {hook.test}
        </Button>
        <Button onClick={() => setEditing(true)}>{hook.edit}</Button>
        {owner.isGlobal ? null : (
          <Button look="danger" onClick={() => setRemoving(true)}>
            {hook.remove}
          </Button>
        )}
        <ShowCurl call={buildCall(owner, webhook)} />
      </div>
      {test.isPending ? <p role="status">{hook.testing}</p> : null}
      {test.error === null ? null : <Failure error={test.error} />}
      {test.data === undefined ? null : (
        <Notice look={test.data.statusCode < 300 ? 'plain' : 'bad'}>
          <p>{hook.testDone(test.data.statusCode, test.data.durationMs)}</p>
          {test.data.body === '' ? null : (
            <pre className={layout.code} title={hook.testBody}>
              {showUnseen(test.data.body)}
            </pre>
          )}
        </Notice>
      )}
      <Dialog isOpen={isEditing} onClose={() => setEditing(false)} title={hook.editTitle}>
        <EndpointForm
          owner={owner}
          webhook={webhook}
          onDone={() => setEditing(false)}
          onCancel={() => setEditing(false)}
        />
      </Dialog>
      <Removal owner={owner} webhook={webhook} isOpen={isRemoving} onClose={() => setRemoving(false)} />
    </Card>
  )
}

interface RemovalProps {
  readonly owner: WebhookOwner
  readonly webhook: Webhook
  readonly isOpen: boolean
  readonly onClose: () => void
}

function Removal({ owner, webhook: { id, url }, isOpen, onClose }: RemovalProps) {
  const hook = useWebhookWords()
  const set = useSetWebhook(owner)
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={hook.removeTitle}
      action={hook.remove}
      isBusy={set.isPending}
      error={set.error}
      onConfirm={() => set.mutate({ action: 'delete', id }, { onSuccess: onClose })}
      call={buildShownCall('setWebhook', { body: { action: 'delete', id } })}
    >
      <p>
        <bdi>{hook.removeHelp(showUnseen(url))}</bdi>
      </p>
    </Confirm>
  )
}

function buildCall(owner: WebhookOwner, { id, url, enabled, events, excludeMessages }: Webhook): ShownCall {
  const body = { enabled, url, events, excludeMessages }
  return owner.isGlobal
    ? buildShownCall('setGlobalWebhook', { body }, 'admintoken')
    : buildShownCall('setWebhook', { body: { action: 'update', id, ...body } })
}
