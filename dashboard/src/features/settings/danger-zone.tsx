import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Instance } from '../../../../schemas/generated.js'
import { forgetSession, readSession } from '../../api/session.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { CheckField, InputField } from '../../components/field.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useDisconnect } from '../../hooks/use-instance.js'
import { useDeleteInstance, useExport, useReset } from '../../hooks/use-settings.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useWords } from '../../words/index.js'
import { useSettingsWords } from '../../words/settings/index.js'
import styles from './settings.module.css'

interface DangerZoneProps {
  readonly instance: Instance
  readonly isPaired: boolean
}

type Asked = 'reset' | 'disconnect' | 'export' | 'delete'

/** Changes that interrupt the account, or end it. Each says what happens, and the last ones want the name typed. */
export function DangerZone({ instance, isPaired }: DangerZoneProps) {
  const common = useWords()
  const words = useSettingsWords()
  const titleId = useId()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const name = showUnseen(instance.name)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.danger}</h2>
      <div className={styles.actions}>
        {isPaired ? (
          <>
            <Button onClick={() => setAsked('reset')}>{words.reset}</Button>
            <Button look="danger" onClick={() => setAsked('disconnect')}>
              {common.instance.disconnect}
            </Button>
            {readSession()?.kind === 'admin' ? (
              <Button look="danger" onClick={() => setAsked('export')}>
                {words.export}
              </Button>
            ) : null}
          </>
        ) : null}
        <Button look="danger" onClick={() => setAsked('delete')}>
          {words.delete}
        </Button>
      </div>
      {asked === 'reset' ? <ResetDialog onClose={close} /> : null}
      {asked === 'disconnect' ? <DisconnectDialog name={name} onClose={close} /> : null}
      {asked === 'export' ? <ExportDialog onClose={close} /> : null}
      {asked === 'delete' ? <DeleteDialog name={name} onClose={close} /> : null}
    </Card>
  )
}

interface AskedProps {
  readonly onClose: () => void
}

function ResetDialog({ onClose }: AskedProps) {
  const words = useSettingsWords()
  const reset = useReset()
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={words.reset}
      action={words.reset}
      isBusy={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate(undefined, { onSuccess: onClose })}
      call={buildShownCall('resetInstance', {})}
    >
      <p>{words.resetHelp}</p>
    </Confirm>
  )
}

function DisconnectDialog({ name, onClose }: AskedProps & { readonly name: string }) {
  const common = useWords()
  const words = useSettingsWords()
  const { id, credential } = useThisInstance()
  const disconnect = useDisconnect(id, credential)
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={common.instance.disconnect}
      action={common.instance.disconnect}
      typed={name}
      isBusy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutate(undefined, { onSuccess: onClose })}
      call={buildShownCall('disconnectInstance', {})}
    >
      <p>{words.disconnectHelp}</p>
    </Confirm>
  )
}

function DeleteDialog({ name, onClose }: AskedProps & { readonly name: string }) {
  const words = useSettingsWords()
  const navigate = useNavigate()
  const remove = useDeleteInstance()
  const leave = () => {
    if (readSession()?.kind === 'admin') void navigate({ to: '/instances' })
    else forgetSession(null)
  }
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={words.delete}
      action={words.delete}
      typed={name}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: leave })}
      call={buildShownCall('deleteInstance', {})}
    >
      <p>{words.deleteHelp}</p>
    </Confirm>
  )
}

const PASSPHRASE_MIN = 12

function ExportDialog({ onClose }: AskedProps) {
  const words = useSettingsWords()
  const exporting = useExport()
  const [passphrase, setPassphrase] = useState('')
  const [messages, setMessages] = useState(true)
  const [webhooks, setWebhooks] = useState(true)
  const isShort = passphrase.length < PASSPHRASE_MIN
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={words.export}
      action={words.export}
      isBusy={exporting.isPending}
      error={exporting.error}
      onConfirm={() => {
        if (!isShort) exporting.mutate({ passphrase, stop: true, messages, webhooks }, { onSuccess: onClose })
      }}
      call={null}
    >
      <p>{words.exportHelp}</p>
      <InputField
        label={words.passphrase}
        help={words.passphraseHelp}
        type="password"
        autoComplete="new-password"
        required
        minLength={PASSPHRASE_MIN}
        maxLength={1_000}
        value={passphrase}
        onChange={({ target }) => setPassphrase(target.value)}
      />
      <CheckField
        label={words.exportMessages}
        checked={messages}
        onChange={({ target }) => setMessages(target.checked)}
      />
      <CheckField
        label={words.exportWebhooks}
        checked={webhooks}
        onChange={({ target }) => setWebhooks(target.checked)}
      />
    </Confirm>
  )
}
