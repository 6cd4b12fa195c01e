import { useState } from 'react'
import type { ChatwootConfigReply, SetChatwootRequest } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { CheckField, InputField } from '../../components/field.js'
import { Notice } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useSentence } from '../../hooks/use-sentences.js'
import { useChatwootWords } from '../../words/chatwoot/index.js'
import { warningSentences } from '../../words/sentences/warnings.js'
import { SettingsForm } from '../settings/settings-form.js'

interface InboxFormProps {
  readonly scope: Scope
  readonly shown: ChatwootConfigReply
}

const NUMBER_MAX = 2_147_483_647
const CHOICES = [
  ['ignore_groups', 'ignoreGroups'],
  ['sign_messages', 'signMessages'],
  ['create_new_conversation', 'createNew'],
] as const

/** Address, token, account and inbox, which are tested before they are saved. */
export function InboxForm({ scope, shown }: InboxFormProps) {
  const own = useChatwootWords()
  const change = useWrite(scope, 'setChatwoot', ['showChatwoot'])
  const [body, setBody] = useState<SetChatwootRequest>(() => makeInitial(shown))
  const [isRelinked, setRelinked] = useState(false)
  const wrong = change.error instanceof Problem ? change.error.fields : {}
  const isLinked = change.error instanceof Problem && change.error.code === 'CHATWOOT_LINKED'
  const set = (part: Partial<SetChatwootRequest>) => setBody((before) => ({ ...before, ...part }))
  const mask = shown.chatwoot_access_token
  const sent: SetChatwootRequest = {
    ...body,
    access_token: body.access_token === '' ? mask : body.access_token,
    ...(isRelinked ? { relink: true } : {}),
  }
  return (
    <SettingsForm
      title={own.inbox}
      change={change}
      words={{ save: own.save, saved: own.saved }}
      call={buildShownCall('setChatwoot', { body: { ...sent, access_token: '$CHATWOOT_TOKEN' } })}
      onSave={() => change.mutate({ body: sent })}
    >
      <CheckField
        label={own.enabled}
        checked={body.enabled}
        onChange={({ target }) => set({ enabled: target.checked })}
      />
      <InputField
        label={own.url}
        help={own.urlHelp}
        wrong={wrong.url}
        required
        type="url"
        maxLength={2_048}
        spellCheck={false}
        value={body.url}
        onChange={({ target }) => set({ url: target.value })}
      />
      <InputField
        label={own.token}
        help={own.tokenHelp(showUnseen(mask))}
        wrong={wrong.access_token}
        required={mask === ''}
        type="password"
        autoComplete="new-password"
        maxLength={500}
        value={body.access_token}
        onChange={({ target }) => set({ access_token: target.value })}
      />
      <NumberField
        label={own.accountId}
        help={own.accountIdHelp}
        wrong={wrong.account_id}
        value={body.account_id}
        onNumber={(account_id) => set({ account_id })}
      />
      <NumberField
        label={own.inboxId}
        help={own.inboxIdHelp}
        wrong={wrong.inbox_id}
        value={body.inbox_id ?? 0}
        onNumber={(inbox_id) => set({ inbox_id })}
      />
      {CHOICES.map(([field, label]) => (
        <CheckField
          key={field}
          label={own[label]}
          checked={body[field] ?? false}
          onChange={({ target }) => set({ [field]: target.checked })}
        />
      ))}
      {isLinked || isRelinked ? (
        <CheckField label={own.relink} checked={isRelinked} onChange={({ target }) => setRelinked(target.checked)} />
      ) : null}
      <Warnings sentences={change.data?.warnings ?? []} />
    </SettingsForm>
  )
}

function Warnings({ sentences }: { readonly sentences: readonly string[] }) {
  const say = useSentence(warningSentences)
  return sentences.map((sentence) => (
    <Notice key={sentence} look="busy">
      <bdi>{say(sentence)}</bdi>
    </Notice>
  ))
}

interface NumberFieldProps {
  readonly label: string
  readonly help: string
  readonly wrong: string | undefined
  readonly value: number
  readonly onNumber: (value: number) => void
}

function NumberField({ label, help, wrong, value, onNumber }: NumberFieldProps) {
  return (
    <InputField
      label={label}
      help={help}
      wrong={wrong}
      required
      type="number"
      min={1}
      max={NUMBER_MAX}
      value={value === 0 ? '' : value}
      onChange={({ target }) => onNumber(Number(target.value))}
    />
  )
}

function makeInitial(shown: ChatwootConfigReply): SetChatwootRequest {
  const isNew = shown.chatwoot_url === ''
  return {
    enabled: isNew || shown.chatwoot_enabled,
    url: shown.chatwoot_url,
    access_token: '',
    account_id: shown.chatwoot_account_id,
    inbox_id: shown.chatwoot_inbox_id,
    ignore_groups: shown.chatwoot_ignore_groups,
    sign_messages: shown.chatwoot_sign_messages,
    create_new_conversation: shown.chatwoot_create_new_conversation,
  }
}
