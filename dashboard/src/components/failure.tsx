import { Problem } from '../api/problem.js'
import { showUnseen } from '../format/visible.js'
import { useErrorText } from '../words/errors/index.js'
import { useWords } from '../words/index.js'
import { Button } from './button.js'
import { Notice } from './notice.js'

/** Says why a call failed, in the language of the reader; the words of the gateway and the id that finds it in the logs are below. */
export function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const words = useWords()
  const { code, requestId, message } =
    error instanceof Problem ? error : { code: '', requestId: undefined, message: words.broken }
  const text = useErrorText(code)
  const id = requestId === undefined ? null : <p>{words.requestId(requestId)}</p>
  return (
    <Notice look="bad">
      <p>{code === 'OFFLINE' ? words.offlineCall : (text ?? message)}</p>
      {text === undefined ? (
        id
      ) : (
        <details>
          <summary>{words.details}</summary>
          <p lang="en">{message}</p>
          <p>
            <code>{code}</code>
          </p>
          {id}
        </details>
      )}
      {onRetry === undefined ? null : <Button onClick={onRetry}>{words.retry}</Button>}
    </Notice>
  )
}

/** Shows the English text of the gateway or of another server, to be opened below a sentence in the language of the reader. */
export function Original({ text }: { readonly text: string }) {
  const words = useWords()
  return text === '' ? null : (
    <details>
      <summary>{words.details}</summary>
      <bdi lang="en">{showUnseen(text)}</bdi>
    </details>
  )
}
