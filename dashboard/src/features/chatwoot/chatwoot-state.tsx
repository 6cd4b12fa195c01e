import { type ReactNode, useId } from 'react'
import type { ChatwootConfigReply } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Copyable } from '../../components/copyable.js'
import { Failure, Original } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Card, Notice } from '../../components/notice.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useChatwootWords } from '../../words/chatwoot/index.js'
import { useLanguage, useWords } from '../../words/index.js'
import { Facts } from '../settings/facts.js'

interface ChatwootStateProps {
  readonly scope: Scope
  readonly shown: ChatwootConfigReply
}

/** How it goes, with a test of the stored settings. */
export function ChatwootState({ scope, shown }: ChatwootStateProps) {
  const words = useWords()
  const own = useChatwootWords()
  const titleId = useId()
  const test = useWrite(scope, 'setChatwoot', ['showChatwoot'])
  const { state = 'ok', chatwoot_enabled: isEnabled } = shown
  const word = own.states[isEnabled ? state : 'off'] ?? state
  const isWell = !isEnabled || state === 'ok'
  const facts: (readonly [string, ReactNode])[] = [
    [own.state, word],
    [own.lastSent, <Time key="sent" at={shown.last_sent ?? ''} />],
    [own.lastReceived, <Time key="received" at={shown.last_received ?? ''} />],
    [own.signed, shown.signed === true ? own.isSigned : own.isUnsigned],
    [own.waiting, shown.replies_waiting ?? 0],
    [own.failed, shown.replies_failed ?? 0],
    [own.missed, shown.replies_missed ?? 0],
  ]
  return (
    <Card labelledBy={titleId}>
      <div className={layout.head}>
        <h2 id={titleId}>{own.state}</h2>
        {isEnabled ? (
          <Button isBusy={test.isPending} onClick={() => test.mutate({ body: pickStoredSettings(shown) })}>
            {own.test}
          </Button>
        ) : null}
      </div>
      {isWell ? null : (
        <Notice look="bad">
          <p>{word}</p>
          <Original text={shown.last_error ?? ''} />
        </Notice>
      )}
      {test.error === null ? null : <Failure error={test.error} />}
      {test.isSuccess ? <Notice>{own.tested}</Notice> : null}
      <Facts facts={facts} />
      {shown.last_error && isWell ? (
        <div>
          {own.lastError}
          <Original text={shown.last_error} />
        </div>
      ) : null}
      {(shown.replies_failed ?? 0) > 0 ? <p>{own.failedReplies}</p> : null}
      {shown.chatwoot_inbox_webhook_url ? (
        <>
          <h3>{own.webhookUrl}</h3>
          <p>{own.webhookHelp}</p>
          <Copyable text={shown.chatwoot_inbox_webhook_url} copy={words.copy} copied={words.copied} />
        </>
      ) : null}
    </Card>
  )
}

function Time({ at }: { readonly at: string }) {
  const own = useChatwootWords()
  const language = useLanguage()
  return at === '' ? own.never : <Moment at={at} language={language} />
}

/** Returns the settings as they are sent to be tested: the mask stands for the token. */
function pickStoredSettings(shown: ChatwootConfigReply) {
  return {
    enabled: shown.chatwoot_enabled,
    url: shown.chatwoot_url,
    access_token: shown.chatwoot_access_token,
    account_id: shown.chatwoot_account_id,
    inbox_id: shown.chatwoot_inbox_id,
    ignore_groups: shown.chatwoot_ignore_groups,
    sign_messages: shown.chatwoot_sign_messages,
    create_new_conversation: shown.chatwoot_create_new_conversation,
  }
}
