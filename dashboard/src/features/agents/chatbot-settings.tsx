import { useId } from 'react'
import type { Instance } from '../../../../schemas/generated.js'
import { maskSecrets } from '../../api/masked.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Card, Notice } from '../../components/notice.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useAgentWords } from '../../words/agents/index.js'
import { useRecordWords } from '../../words/records/index.js'
import type { FieldSpec } from '../records/field-spec.js'
import { RecordForm } from '../records/record-form.js'

interface ChatbotSettingsProps {
  readonly scope: Scope
  readonly instance: Instance
}

/** Settings that concern all agents of the instance. */
export function ChatbotSettings({ scope, instance }: ChatbotSettingsProps) {
  const agent = useAgentWords()
  const records = useRecordWords()
  const titleId = useId()
  const update = useWrite(scope, 'updateChatbotSettings', ['status'])
  const specs: readonly FieldSpec[] = [
    { name: 'chatbot_enabled', label: agent.enabled, kind: 'check' },
    { name: 'chatbot_ignoreGroups', label: agent.ignoreGroups, kind: 'check' },
    { name: 'chatbot_stopConversation', label: agent.stopWord, kind: 'text', maxLength: 100 },
    { name: 'chatbot_stopMinutes', label: agent.stopMinutes, kind: 'number', min: 0 },
    { name: 'chatbot_stopWhenYouSendMsg', label: agent.stopSend, kind: 'number', min: 0 },
    { name: 'chatbot_costPerDay', label: agent.costPerDay, kind: 'number', min: 0 },
    { name: 'chatbot_embeddingPrice', label: agent.embeddingPrice, kind: 'number', min: 0 },
    { name: 'chatbot_transcriptionPrice', label: agent.transcriptionPrice, kind: 'number', min: 0 },
    {
      name: 'openai_apikey',
      label: agent.openaiKey,
      kind: 'secret',
      help: `${instance.openai_apikey ?? ''} ${agent.keyHelp}`.trim(),
    },
  ]
  const initial = { ...instance, openai_apikey: '' }
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{agent.settings}</h2>
      {mayConnect() ? (
        <RecordForm
          key={JSON.stringify(specs.map(({ name }) => initial[name as keyof Instance]))}
          specs={specs}
          initial={initial}
          submit={records.save}
          isBusy={update.isPending}
          error={update.error}
          onSubmit={(changed) => update.mutate({ body: changed })}
          createCall={(changed) => buildShownCall('updateChatbotSettings', { body: maskSecrets(changed) })}
        />
      ) : (
        <p>
          {agent.enabled}: {instance.chatbot_enabled === true ? records.yes : records.no}
        </p>
      )}
      {update.isSuccess ? <Notice>{records.saved}</Notice> : null}
    </Card>
  )
}
