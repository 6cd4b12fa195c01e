import { Zap } from 'lucide-react'
import type { EditQuickReplyRequest, QuickReply } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useAgentWords } from '../../words/agents/index.js'
import { useWords } from '../../words/index.js'
import { useRecordWords } from '../../words/records/index.js'
import type { FieldSpec, Values } from '../records/field-spec.js'
import { Records } from '../records/records.js'

const KINDS = ['text', 'image', 'video', 'audio', 'myaudio', 'ptt', 'document'] as const

/** Texts and files that people send by a shortcut. */
export function QuickReplyList({ scope }: { readonly scope: Scope }) {
  const words = useWords()
  const agent = useAgentWords()
  const records = useRecordWords()
  const { data, error, refetch } = useRead(scope, 'listQuickReplies', {})
  const edit = useWrite(scope, 'editQuickReply', ['listQuickReplies'])
  const isText = ({ type }: Values) => type === 'text'
  const specs: readonly FieldSpec[] = [
    { name: 'shortCut', label: agent.shortCut, kind: 'text', required: true },
    { name: 'type', label: agent.kind, kind: 'choice', options: KINDS.map((one) => [one, one] as const) },
    { name: 'text', label: agent.text, kind: 'long' },
    { name: 'file', label: agent.address, kind: 'text', isHidden: isText },
    { name: 'docName', label: agent.docName, kind: 'text', isHidden: ({ type }) => type !== 'document' },
    { name: 'onWhatsApp', label: agent.onPhone, kind: 'check', isHidden: (values) => !isText(values) },
  ]
  return (
    <Records<QuickReply, EditQuickReplyRequest>
      title={agent.quickReplies}
      icon={Zap}
      about={words.abouts.quickReplies}
      none={agent.noReplies}
      add={agent.addReply}
      items={data}
      error={error}
      onRetry={() => void refetch()}
      getKey={({ id }) => id}
      getName={({ shortCut }) => showUnseen(shortCut)}
      heads={[agent.shortCut, agent.kind, agent.text, agent.onPhone]}
      listCells={({ shortCut, type, text, onWhatsApp }) => [
        <bdi key="cut">{showUnseen(shortCut)}</bdi>,
        type,
        <bdi key="text">{showUnseen(text)}</bdi>,
        onWhatsApp ? records.yes : records.no,
      ]}
      specs={specs}
      listValues={(one) => (one === undefined ? { type: 'text', onWhatsApp: false } : { ...one })}
      mayEdit={mayConnect()}
      write={{
        operation: 'editQuickReply',
        saved: (one, changed) =>
          one === undefined
            ? { type: 'text', ...changed }
            : { id: one.id, ...(one.onWhatsApp ? { onWhatsApp: true } : {}), ...changed },
        deleted: ({ id, onWhatsApp }) => ({ id, delete: true, ...(onWhatsApp ? { onWhatsApp: true } : {}) }),
        run: (body) => edit.mutateAsync({ body }),
      }}
      removal={agent.replyRemoval}
    />
  )
}
