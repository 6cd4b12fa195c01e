import { useId, useState } from 'react'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { ShowCurl } from '../../components/show-curl.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useCampaignWords } from '../../words/campaigns/index.js'
import { useWords } from '../../words/index.js'

/** The words by which people opt out of campaigns themselves. Keys may neither see nor change them. */
export function OptOutWords({ scope }: { readonly scope: Scope }) {
  const words = useCampaignWords()
  const common = useWords()
  const titleId = useId()
  const { data, error, refetch } = useRead(scope, 'showOptOutWords', {})
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.optOutWords}</h2>
      <p>{words.optOutWordsHelp}</p>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : (
        <WordsForm scope={scope} stored={data.words} />
      )}
    </Card>
  )
}

function WordsForm({ scope, stored }: { readonly scope: Scope; readonly stored: readonly string[] }) {
  const words = useCampaignWords()
  const set = useWrite(scope, 'setOptOutWords', ['showOptOutWords'])
  const [text, setText] = useState(stored.join('\n'))
  const body = { words: text.split('\n').flatMap((word) => (word.trim() === '' ? [] : [word.trim()])) }
  return (
    <form
      className={layout.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!set.isPending) set.mutate({ body }, { onSuccess: (reply) => setText(reply.words.join('\n')) })
      }}
    >
      <TextField
        label={words.optOutWordsLabel}
        help={words.optOutWordsLines}
        rows={4}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {set.error === null ? null : <Failure error={set.error} />}
      <div className={layout.row}>
        <Button type="submit" isBusy={set.isPending}>
          {words.save}
        </Button>
        <ShowCurl call={buildShownCall('setOptOutWords', { body })} />
        <span role="status">{set.isSuccess ? words.saved : ''}</span>
      </div>
    </form>
  )
}
