import { useNavigate, useSearch } from '@tanstack/react-router'
import { readSession } from '../api/session.js'
import { WebhookViews } from '../features/webhooks/webhook-views.js'
import { useWebhookWords } from '../words/webhooks/index.js'

/** The webhook that receives the events of all instances, for administrators. */
export function GlobalWebhooks() {
  const hook = useWebhookWords()
  const search = useSearch({ from: '/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  return (
    <WebhookViews
      title={hook.globalTitle}
      owner={{ id: 'all', credential: readSession()?.credential, isGlobal: true }}
      search={search}
      onSearch={(next) => void navigate({ search: next, replace: true })}
    />
  )
}
