import { useNavigate, useSearch } from '@tanstack/react-router'
import { Notice } from '../components/notice.js'
import { WebhookViews } from '../features/webhooks/webhook-views.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useWebhookWords } from '../words/webhooks/index.js'

/** Webhooks of an instance: where events go, what became of them, and help with their signatures. */
export function Webhooks() {
  const hook = useWebhookWords()
  const { id, credential } = useThisInstance()
  const search = useSearch({ from: '/instances/$id/webhooks' })
  const navigate = useNavigate({ from: '/instances/$id/webhooks' })
  if (!mayConnect()) return <Notice>{hook.notAllowed}</Notice>
  return (
    <WebhookViews
      title={hook.title}
      owner={{ id, credential, isGlobal: false }}
      search={search}
      onSearch={(next) => void navigate({ search: next, replace: true })}
    />
  )
}
