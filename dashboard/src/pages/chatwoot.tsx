import { Failure } from '../components/failure.js'
import { Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { Carried } from '../features/chatwoot/carried.js'
import { ChatwootState } from '../features/chatwoot/chatwoot-state.js'
import { GivenUp } from '../features/chatwoot/given-up.js'
import { InboxForm } from '../features/chatwoot/inbox-form.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useRead } from '../hooks/use-operation.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useChatwootWords } from '../words/chatwoot/index.js'
import { useWords } from '../words/index.js'

/** The inbox of Chatwoot that the instance is: its settings, how it goes, and what was not carried. */
export function Chatwoot() {
  const words = useWords()
  const own = useChatwootWords()
  const { id, credential } = useThisInstance()
  const scope = { id, credential }
  const { data, error, refetch } = useRead(scope, 'showChatwoot', {}, { isOff: !mayConnect() })
  if (!mayConnect()) return <Notice>{own.notAllowed}</Notice>
  const webhookId = data?.webhook_id ?? ''
  return (
    <>
      <PageHeader title={own.title} about={own.about} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : (
        <>
          {data.chatwoot_url === '' ? null : <ChatwootState scope={scope} shown={data} />}
          <InboxForm scope={scope} shown={data} />
        </>
      )}
      {webhookId === '' ? null : (
        <>
          <Carried scope={scope} webhookId={webhookId} />
          <GivenUp scope={scope} webhookId={webhookId} />
        </>
      )}
    </>
  )
}
