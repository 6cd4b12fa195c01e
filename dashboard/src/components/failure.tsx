import { Problem } from '../api/problem.js'
import { useWords } from '../words/index.js'
import { Button } from './button.js'
import { Notice } from './notice.js'

/** Says why a call failed, with the id that finds it in the logs. */
export function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const words = useWords()
  const { code, requestId, message } =
    error instanceof Problem ? error : { code: '', requestId: undefined, message: words.broken }
  return (
    <Notice look="bad">
      <p>{code === 'OFFLINE' ? words.offlineCall : message}</p>
      {requestId === undefined ? null : <p>{words.requestId(requestId)}</p>}
      {onRetry === undefined ? null : <Button onClick={onRetry}>{words.retry}</Button>}
    </Notice>
  )
}
